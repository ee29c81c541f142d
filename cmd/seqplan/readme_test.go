package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/cmd/seqplan/internal/cli"
)

// prompts start a command line in a code block of the README.
var prompts = []string{"bin/seqplan ", "$ seqplan "}

// TestReadme runs the commands of the README that print something and compares
// what they print. With -update it puts the output there.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var out []string
	ran := 0
	lines := strings.Split(string(readme), "\n")
	for i := 0; i < len(lines); i++ {
		out = append(out, lines[i])
		args := command(lines[i])
		if args == nil || args[0] != "plan" && args[0] != "run" {
			continue
		}
		for i+1 < len(lines) && lines[i+1] != "```" && command(lines[i+1]) == nil {
			i++
		}
		var stdout, stderr bytes.Buffer
		require.Zero(t, cli.Main(args, strings.NewReader(""), &stdout, &stderr), stderr.String())
		out = append(out, strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")...)
		ran++
	}
	require.Equal(t, 3, ran)
	text := strings.Join(out, "\n")
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(text), 0o666))
		return
	}
	require.Equal(t, text, string(readme), "run go test ./cmd/seqplan -run TestReadme -update")
}

// command returns the arguments of seqplan in a line, or nil.
func command(line string) []string {
	for _, p := range prompts {
		if rest, ok := strings.CutPrefix(line, p); ok {
			return strings.Fields(rest)
		}
	}
	return nil
}
