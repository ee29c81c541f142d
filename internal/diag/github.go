package diag

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"
)

// renderGitHub prints a workflow command for each diagnostic, a line each.
func renderGitHub(w io.Writer, sorted List, sources *sourceLines, opts RenderOptions) error {
	out := bufio.NewWriter(w) // keeps the first error until Flush
	for _, d := range sorted {
		fmt.Fprintf(out, "::%s ", d.Severity)
		if d.Pos.File != "" {
			fmt.Fprintf(out, "file=%s,", githubEscape(filepath.Clean(d.Pos.File), true))
			if d.Pos.Line > 0 {
				fmt.Fprintf(out, "line=%d,", d.Pos.Line)
			}
			if col := sources.column(d.Pos); col > 0 {
				fmt.Fprintf(out, "col=%d,", col)
			}
		}
		fmt.Fprintf(out, "title=%s::%s\n", githubEscape(opts.heading(d.Code), true), githubEscape(d.full(), false))
	}
	return out.Flush()
}

// githubEscape escapes what ends a command or, in the value of a property, the value.
func githubEscape(text string, property bool) string {
	var out strings.Builder
	for _, r := range clean(text, "\r\n") {
		if strings.ContainsRune("%\r\n", r) || property && strings.ContainsRune(":,", r) {
			fmt.Fprintf(&out, "%%%02X", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}
