package dynpool

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// OpenMetricsType is the content type of what WriteOpenMetrics writes.
const OpenMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8"

// Series is statistics with the labels that tell them from others. Names of labels
// are letters, digits and underscores; values are any UTF-8.
type Series struct {
	Labels map[string]string
	Stats  Stats
}

// ErrLabels: labels cannot be written, or two series have the same.
var ErrLabels = errors.New("invalid labels")

// WriteOpenMetrics writes the statistics as OpenMetrics text of its own, with # EOF
// at the end.
func (s Stats) WriteOpenMetrics(w io.Writer, labels map[string]string) error {
	return WriteOpenMetrics(w, Series{labels, s})
}

// WriteOpenMetrics writes several series as one OpenMetrics text. Their order does
// not matter to a reader and is kept.
func WriteOpenMetrics(w io.Writer, series ...Series) error {
	labels := make([]string, len(series))
	for i, s := range series {
		var err error
		if labels[i], err = formatLabels(s.Labels); err != nil {
			return err
		}
		if slices.Contains(labels[:i], labels[i]) {
			return fmt.Errorf("%w: two series have the labels {%s}", ErrLabels, labels[i])
		}
	}
	out := bufio.NewWriter(w) // keeps the first error for Flush
	for _, f := range families() {
		f.header(out)
		for i := range series {
			for _, sample := range f.samples(&series[i].Stats) {
				f.sample(out, labels[i], sample)
			}
		}
	}
	fmt.Fprintln(out, "# EOF")
	return out.Flush()
}

// labelName is what the format allows, less the names that it keeps for itself.
var labelName = regexp.MustCompile(`^([a-zA-Z]|_[a-zA-Z0-9])[a-zA-Z0-9_]*$`)

// codeLabel is the label of the failures.
const codeLabel = "code"

func formatLabels(labels map[string]string) (string, error) {
	var pairs []string
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		value := labels[name]
		if !labelName.MatchString(name) || name == codeLabel || !utf8.ValidString(value) {
			return "", fmt.Errorf("%w: %q=%q", ErrLabels, name, value)
		}
		pairs = append(pairs, name+`="`+escape.Replace(value)+`"`)
	}
	return strings.Join(pairs, ","), nil
}

var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// withWorker adds the label of a worker. Its own name wins.
func withWorker(labels map[string]string, index int) map[string]string {
	out := maps.Clone(labels)
	if out == nil {
		out = make(map[string]string)
	}
	out["worker"] = strconv.Itoa(index)
	return out
}

// family is one metric.
type family struct {
	name, unit, help string
	counter          bool
	samples          func(*Stats) []sample
}

// sample is a value, with the failure code that it counts if there is one.
type sample struct {
	code  string
	value uint64
}

func (f *family) header(w io.Writer) {
	kind := "gauge"
	if f.counter {
		kind = "counter"
	}
	fmt.Fprintf(w, "# TYPE %s %s\n", f.name, kind)
	if f.unit != "" {
		fmt.Fprintf(w, "# UNIT %s %s\n", f.name, f.unit)
	}
	fmt.Fprintf(w, "# HELP %s %s\n", f.name, escape.Replace(f.help))
}

func (f *family) sample(w io.Writer, labels string, s sample) {
	name := f.name
	if f.counter {
		name += "_total"
	}
	if s.code != "" {
		code := codeLabel + `="` + s.code + `"`
		if labels != "" {
			labels += ","
		}
		labels += code
	}
	if labels != "" {
		labels = "{" + labels + "}"
	}
	fmt.Fprintf(w, "%s%s %d\n", name, labels, s.value)
}
