package dynpool_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/dynpool"
)

// metricFamily is what a reader of OpenMetrics makes of one metric.
type metricFamily struct {
	kind, unit, help string
	samples          map[string]uint64 // by the labels, as the reader prints them
}

var (
	metaLine   = regexp.MustCompile(`^# (TYPE|UNIT|HELP) ([a-z_]+) (.*)$`)
	sampleLine = regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{(.*)\})? ([0-9]+)$`)
	labelPair  = regexp.MustCompile(`^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)`)
	unescape   = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
)

// readMetrics is a reader by the rules of OpenMetrics 1.0, written for this test: a
// family is one block, its TYPE comes first, a counter's sample ends in _total, a
// unit is the end of the name, no sample comes twice, and # EOF ends it all.
func readMetrics(text string) (map[string]*metricFamily, error) {
	body, ok := strings.CutSuffix(text, "# EOF\n")
	if !ok {
		return nil, errors.New("no # EOF at the end")
	}
	families := make(map[string]*metricFamily)
	name, f := "", (*metricFamily)(nil)
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if m := metaLine.FindStringSubmatch(line); m != nil {
			if m[1] == "TYPE" {
				if families[m[2]] != nil || m[3] != "counter" && m[3] != "gauge" {
					return nil, fmt.Errorf("type: %q", line)
				}
				name, f = m[2], &metricFamily{kind: m[3], samples: make(map[string]uint64)}
				families[name] = f
				continue
			}
			if m[2] != name || len(f.samples) > 0 {
				return nil, fmt.Errorf("out of place: %q", line)
			}
			to := map[string]*string{"UNIT": &f.unit, "HELP": &f.help}[m[1]]
			if *to != "" || m[1] == "UNIT" && !strings.HasSuffix(name, "_"+m[3]) {
				return nil, fmt.Errorf("twice or wrong: %q", line)
			}
			*to = m[3]
			continue
		}
		m := sampleLine.FindStringSubmatch(line)
		if m == nil || f == nil {
			return nil, fmt.Errorf("no sample: %q", line)
		}
		want := name
		if f.kind == "counter" {
			want += "_total"
		}
		labels, err := readLabels(m[3])
		value, err2 := strconv.ParseUint(m[4], 10, 64)
		key := fmt.Sprintf("%q", labels) // maps print sorted
		if _, twice := f.samples[key]; twice || m[1] != want || err != nil || err2 != nil {
			return nil, fmt.Errorf("sample of %s: %q: %w", name, line, err)
		}
		f.samples[key] = value
	}
	return families, nil
}

func readLabels(text string) (map[string]string, error) {
	labels := make(map[string]string)
	for text != "" {
		m := labelPair.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("labels: %q", text)
		}
		if _, twice := labels[m[1]]; twice {
			return nil, fmt.Errorf("label twice: %q", m[1])
		}
		labels[m[1]] = unescape.Replace(m[2])
		text = text[len(m[0]):]
		if text == "" && m[3] == "," {
			return nil, errors.New("a comma at the end")
		}
	}
	return labels, nil
}

// TestOpenMetrics: every number comes out under its own name, for each series.
func TestOpenMetrics(t *testing.T) {
	a, b := numbered(1), numbered(^uint64(0)-50)
	var out bytes.Buffer
	require.NoError(t, dynpool.WriteOpenMetrics(&out,
		dynpool.Series{Labels: map[string]string{"job": "hlt1"}, Stats: a}, dynpool.Series{Stats: b}))
	families, err := readMetrics(out.String())
	require.NoError(t, err, out.String())
	for name, f := range families {
		require.NotEmpty(t, f.help, name)
		require.Equal(t, strings.HasSuffix(name, "_bytes"), f.unit == "bytes", name)
	}
	values := make(map[uint64]string)
	for name, f := range families {
		for labels, v := range f.samples {
			require.NotContains(t, values, v)
			values[v] = name + labels
		}
	}
	require.Len(t, values, 2*20, "numbers of two Stats")
	for want, v := range map[string]uint64{
		`seqplan_batchesmap["job":"hlt1"]`:                     a.Batches,
		`seqplan_failuresmap["code":"exhausted" "job":"hlt1"]`: a.Failures.Exhausted,
		`seqplan_failuresmap["code":"other"]`:                  b.Failures.Other,
		`seqplan_failuresmap["code":"count"]`:                  b.Failures.Count,
		`seqplan_failuresmap["code":"arithmetic"]`:             b.Failures.Arithmetic,
		`seqplan_failuresmap["code":"program"]`:                b.Failures.Program,
		`seqplan_injected_faultsmap[]`:                         b.Injected,
		`seqplan_synchronizationsmap[]`:                        b.Syncs,
		`seqplan_runsmap[]`:                                    b.Runs,
		`seqplan_eventsmap[]`:                                  b.Events,
		`seqplan_splitsmap[]`:                                  b.Splits,
		`seqplan_retriesmap[]`:                                 b.Retries,
		`seqplan_unfit_eventsmap[]`:                            b.Unfit,
		`seqplan_poolsmap[]`:                                   b.Pools,
		`seqplan_arena_capacity_bytesmap[]`:                    b.Capacity,
		`seqplan_arena_high_water_bytesmap["job":"hlt1"]`:      a.HighWater,
		`seqplan_arena_demand_bytesmap[]`:                      b.Demand,
		`seqplan_host_high_water_bytesmap[]`:                   b.HostHighWater,
		`seqplan_device_memory_bytesmap[]`:                     b.DeviceBytes,
		`seqplan_host_memory_bytesmap[]`:                       b.HostBytes,
	} {
		require.Equal(t, want, values[v])
	}
	require.Equal(t, "counter", families["seqplan_batches"].kind)
	require.Equal(t, "gauge", families["seqplan_pools"].kind)
}

// TestLabels: any text comes back as it was.
func TestLabels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.MapOf(
			rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9_]{0,5}`).Filter(func(s string) bool { return s != "code" }),
			rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune("\\\"\n,={}n")))),
		).Draw(t, "labels")
		var out bytes.Buffer
		require.NoError(t, dynpool.Stats{Events: 5}.WriteOpenMetrics(&out, labels))
		families, err := readMetrics(out.String())
		require.NoError(t, err)
		require.Equal(t, map[string]uint64{fmt.Sprintf("%q", labels): 5}, families["seqplan_events"].samples)
	})
	for name, value := range map[string]string{
		"": "x", "0a": "x", "a-b": "x", "ä": "x", "__name__": "x", "_": "x", "code": "x", "a\n": "x", "ok": "\xff",
	} {
		var out bytes.Buffer
		err := dynpool.Stats{}.WriteOpenMetrics(&out, map[string]string{name: value})
		require.ErrorIs(t, err, dynpool.ErrLabels, "%q", name)
		require.Zero(t, out.Len(), "nothing is half written")
	}
	same := map[string]string{"a": "1"}
	err := dynpool.WriteOpenMetrics(new(bytes.Buffer), dynpool.Series{Labels: same}, dynpool.Series{Labels: maps.Clone(same)})
	require.ErrorIs(t, err, dynpool.ErrLabels)
}

// TestMetricsOfRunner: one series for each worker.
func TestMetricsOfRunner(t *testing.T) {
	dev := newCountingDevice()
	r := newRunner(t, dev, 3)
	_, err := r.Run(t.Context(), 12, 4, func(w *dynpool.Worker, _, _ uint64) error {
		b, err := w.Pool().Begin(w.Stream())
		require.NoError(t, err)
		_, err = b.End()
		return err
	})
	require.NoError(t, err)
	var out bytes.Buffer
	labels := map[string]string{"host": "a"}
	require.NoError(t, r.WriteOpenMetrics(&out, labels))
	require.Equal(t, map[string]string{"host": "a"}, labels)
	families, err := readMetrics(out.String())
	require.NoError(t, err)
	events := families["seqplan_events"].samples
	require.Len(t, events, 3)
	sum := uint64(0)
	for i := range 3 {
		key := fmt.Sprintf(`map["host":"a" "worker":"%d"]`, i)
		require.Contains(t, events, key)
		sum += events[key]
	}
	require.EqualValues(t, 12, sum)
	require.ErrorIs(t, r.WriteOpenMetrics(brokenWriter{}, nil), errBroken)
	require.NoError(t, r.Close())
	dev.close(t)
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }
