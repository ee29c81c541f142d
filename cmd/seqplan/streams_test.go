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
	"github.com/seqplan/seqplan/sequences/streams"
)

// writeTrigger writes the example with several streams, and the same with each policy.
func writeTrigger(t *testing.T) {
	t.Helper()
	files := map[string][]byte{streams.TriggerFile: streams.Trigger()}
	for _, policy := range streams.Policies() {
		files[policy.String()+".yaml"] = streams.With(policy)
	}
	for name, text := range files {
		require.NoError(t, os.WriteFile(name, text, 0o666))
	}
}

// TestStreamsDocs runs the commands of the pages on several streams and compares what
// they print. With -update it puts the output there.
func TestStreamsDocs(t *testing.T) {
	for _, page := range []string{"docs/streams.md", "sequences/streams/README.md"} {
		t.Run(page, func(t *testing.T) {
			path, err := filepath.Abs("../../" + page)
			require.NoError(t, err)
			doc, err := os.ReadFile(path)
			require.NoError(t, err)
			t.Chdir(t.TempDir())
			writeTrigger(t)
			var out []string
			lines := strings.Split(string(doc), "\n")
			ran := 0
			for i := 0; i < len(lines); i++ {
				out = append(out, lines[i])
				args := command(lines[i])
				if args == nil {
					continue
				}
				for i+1 < len(lines) && lines[i+1] != "```" && command(lines[i+1]) == nil {
					i++
				}
				var printed bytes.Buffer
				cli.Main(args, strings.NewReader(""), &printed, &printed)
				out = append(out, strings.Split(strings.TrimSuffix(printed.String(), "\n"), "\n")...)
				ran++
			}
			require.Positive(t, ran)
			text := strings.Join(out, "\n")
			golden.Equal(t, path, []byte(text))
		})
	}
}
