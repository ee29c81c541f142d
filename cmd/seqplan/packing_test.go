package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/cmd/seqplan/internal/cli"
	"github.com/seqplan/seqplan/internal/golden"
	"github.com/seqplan/seqplan/sequences/hlt1"
)

// TestPackingDoc runs the commands of docs/packing.md on the files that it shows and
// compares what they print. With -update it puts the output there.
func TestPackingDoc(t *testing.T) {
	path, err := filepath.Abs("../../docs/packing.md")
	require.NoError(t, err)
	doc, err := os.ReadFile(path)
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("sequences/hlt1", 0o777))
	require.NoError(t, os.WriteFile(filepath.Join("sequences/hlt1", hlt1.VeloFile), hlt1.Velo(), 0o666))

	var out []string
	lines := strings.Split(string(doc), "\n")
	ran := 0
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		if name, ok := strings.CutPrefix(lines[i], "```csv "); ok {
			end := i + 1
			for lines[end] != "```" {
				end++
			}
			require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines[i+1:end], "\n")+"\n"), 0o666))
		}
		args := command(lines[i])
		if args == nil {
			continue
		}
		for i+1 < len(lines) && lines[i+1] != "```" && command(lines[i+1]) == nil {
			i++
		}
		var printed bytes.Buffer
		cli.Main(args, strings.NewReader(""), &printed, &printed)
		if printed.Len() > 0 {
			out = append(out, strings.Split(strings.TrimSuffix(printed.String(), "\n"), "\n")...)
		}
		ran++
	}
	require.Equal(t, 8, ran)
	text := strings.Join(out, "\n")
	golden.Equal(t, path, []byte(text))
}
