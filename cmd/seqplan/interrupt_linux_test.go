package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack/csvfile"
	"github.com/seqplan/seqplan/planner/pack/generate"
)

// TestInterrupt interrupts the command while it works on a problem that it cannot
// solve, as soon as its progress says that it has a packing. It ends at once with
// that packing.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
	writeHard(t, in)
	end, terminal := openTerminal(t)
	defer end.Close()

	var stdout bytes.Buffer
	cmd := exec.Command("seqplan", "pack", "-effort", "max", "-o", out, in)
	cmd.Stdout, cmd.Stderr = &stdout, terminal
	require.NoError(t, cmd.Start())
	require.NoError(t, terminal.Close())
	shown, interrupted := "", false
	buffer := make([]byte, 4096)
	for {
		n, err := end.Read(buffer)
		shown += string(buffer[:n])
		if !interrupted && strings.Contains(shown, "  height ") {
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
			interrupted = true
		}
		if err != nil { // the other end is closed, since the command has ended
			break
		}
	}
	require.NoError(t, cmd.Wait(), shown)
	require.True(t, interrupted, shown)
	require.Contains(t, shown, "\rbound ")
	require.Contains(t, shown, "\r\x1b[Kseqplan pack: interrupted: this is what was known so far")
	require.Contains(t, stdout.String(), "  status    feasible, interrupted\n")
	verified, err := exec.Command("seqplan", "pack", "-verify", out).CombinedOutput()
	require.NoError(t, err, string(verified))
}

// writeHard writes a problem that nothing solves soon.
func writeHard(t *testing.T, path string) {
	p := generate.Random(generate.Dense, 1000, 1)
	var f csvfile.File
	for i, b := range p.Buffers {
		f.Buffers = append(f.Buffers, csvfile.Buffer{ID: strconv.Itoa(i), Lower: b.First, Upper: b.End, Size: b.Size})
	}
	var text bytes.Buffer
	require.NoError(t, csvfile.Write(&text, &f))
	require.NoError(t, os.WriteFile(path, text.Bytes(), 0o666))
}
