package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/cmd/seqplan/internal/cli"
)

// TestReportsDoc runs the commands of docs/reports.md. What they print has the lines below
// them, in this order; a line of dots stands for others.
func TestReportsDoc(t *testing.T) {
	t.Chdir("../..")
	t.Setenv("COLUMNS", "")
	text, err := os.ReadFile("docs/reports.md")
	require.NoError(t, err)
	ran := 0
	for i, block := range strings.Split(string(text), "```\n") {
		line, want, _ := strings.Cut(block, "\n")
		rest, ok := strings.CutPrefix(line, "$ seqplan ")
		if i%2 == 0 || !ok {
			continue
		}
		ran++
		var stdout, stderr bytes.Buffer
		require.Zero(t, cli.Main(strings.Fields(rest), strings.NewReader(""), &stdout, &stderr), stderr.String())
		got := "\n" + stdout.String()
		for _, part := range strings.Split("\n"+want, "\n...\n") {
			part = strings.Trim(part, "\n")
			if part == "" {
				continue
			}
			_, after, found := strings.Cut(got, "\n"+part+"\n")
			require.True(t, found, "%s prints no more\n%s", line, part)
			got = "\n" + after
		}
	}
	require.Equal(t, 8, ran)
}
