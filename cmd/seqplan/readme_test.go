package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/cmd/seqplan/internal/cli"
	"github.com/seqplan/seqplan/internal/golden"
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
	golden.Equal(t, "README.md", []byte(text))
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

// programBlock is the program of the README and the block with its output.
var programBlock = regexp.MustCompile("(?s)```go\n(package main.*?)```.*?```\n(.*?)```")

// TestReadmeProgram builds the program of the README in a module of its own, with
// the sequence of seqplan init, and compares what it prints.
func TestReadmeProgram(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	path := filepath.Join(root, "README.md")
	readme, err := os.ReadFile(path)
	require.NoError(t, err)
	at := programBlock.FindSubmatchIndex(readme)
	require.NotNil(t, at)
	program, output := string(readme[at[2]:at[3]]), string(readme[at[4]:at[5]])

	t.Chdir(t.TempDir())
	require.NoError(t, os.Mkdir("velo", 0o777))
	require.NoError(t, os.WriteFile("main.go", []byte(program), 0o666))
	for _, args := range [][]string{
		{"init", "velo/velo.yaml"},
		{"gen", "-lang", "go", "-package", "velo", "-o", "velo/velo_seqplan.go", "velo/velo.yaml"},
	} {
		var stderr bytes.Buffer
		require.Zero(t, cli.Main(args, strings.NewReader(""), &stderr, &stderr), stderr.String())
	}
	goTool(t, "mod", "init", "example.org/trigger")
	goTool(t, "mod", "edit", "-replace=github.com/seqplan/seqplan="+root, "-require=github.com/seqplan/seqplan@v0.0.0")
	goTool(t, "mod", "tidy")
	printed := goTool(t, "run", ".")
	if golden.Update() {
		text := string(readme[:at[4]]) + printed + string(readme[at[5]:])
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		return
	}
	require.Equal(t, output, printed, "run go test ./cmd/seqplan -run TestReadmeProgram -update")
}

func goTool(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("go", args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	require.NoError(t, cmd.Run(), stderr.String())
	return stdout.String()
}
