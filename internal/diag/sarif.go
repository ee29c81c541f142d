package diag

import (
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
)

const (
	sarifVersion = "2.1.0"
	sarifSchema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

// The parts of a SARIF log that are used here, by the names of the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               Code       `json:"id"`
		ShortDescription *sarifText `json:"shortDescription,omitempty"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    Code            `json:"ruleId,omitempty"`
		RuleIndex *int            `json:"ruleIndex,omitempty"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations,omitempty"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

func renderSARIF(w io.Writer, sorted List, sources *sourceLines, opts RenderOptions) error {
	var codes []Code
	for _, d := range sorted {
		if d.Code != "" {
			codes = append(codes, d.Code)
		}
	}
	slices.Sort(codes)
	codes = slices.Compact(codes)
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "seqplan", Rules: make([]sarifRule, len(codes))}},
		ColumnKind: "unicodeCodePoints",
		Results:    make([]sarifResult, len(sorted)),
	}
	for i, code := range codes {
		rule := sarifRule{ID: code}
		if title := opts.title(code); title != "" {
			rule.ShortDescription = &sarifText{sarifEscape(title)}
		}
		run.Tool.Driver.Rules[i] = rule
	}
	for i, d := range sorted {
		r := sarifResult{
			Level: d.Severity.String(), Message: sarifText{sarifEscape(d.full())},
			Locations: sarifPlace(d.Pos, sources), Related: sarifRelated(d.Notes, sources),
		}
		if at, ok := slices.BinarySearch(codes, d.Code); ok {
			r.RuleID, r.RuleIndex = d.Code, &at
		}
		run.Results[i] = r
	}
	return writeJSON(w, sarifLog{sarifSchema, sarifVersion, []sarifRun{run}})
}

func sarifPlace(p Pos, sources *sourceLines) []sarifLocation {
	if p.File == "" {
		return nil
	}
	place := sarifPhysical{Artifact: sarifArtifact{sarifURI(p.File)}}
	if p.Line > 0 {
		place.Region = &sarifRegion{p.Line, sources.column(p)}
	}
	return []sarifLocation{{Physical: place}}
}

// sarifRelated are the notes that are about a place. The schema wants each once.
func sarifRelated(notes []Note, sources *sourceLines) []sarifLocation {
	var out []sarifLocation
	for _, n := range notes {
		for _, l := range sarifPlace(n.Pos, sources) {
			l.Message = &sarifText{sarifEscape(n.Label + ": " + n.Message)}
			if !slices.ContainsFunc(out, func(o sarifLocation) bool { return reflect.DeepEqual(o, l) }) {
				out = append(out, l)
			}
		}
	}
	return out
}

// sarifURI is the URI of a file: a relative one if its path is. Nothing in it has a
// meaning but the slashes.
func sarifURI(path string) string {
	path = filepath.ToSlash(filepath.Clean(path))
	var uri strings.Builder
	if filepath.IsAbs(path) {
		uri.WriteString("file://")
	}
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
	for i := range len(path) {
		if strings.IndexByte(plain, path[i]) >= 0 {
			uri.WriteByte(path[i])
		} else {
			fmt.Fprintf(&uri, "%%%02X", path[i])
		}
	}
	return uri.String()
}

// sarifEscape makes a message that stands for itself: in SARIF braces are doubled, or
// they name an argument, and "[text](target)" is a link.
func sarifEscape(message string) string {
	return strings.NewReplacer("{", "{{", "}", "}}", "](", "] (").Replace(clean(message, "\r\n"))
}
