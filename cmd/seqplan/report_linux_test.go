package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences/hlt1"
)

// TestReportOnTerminal: a report has colours on a terminal only, not with NO_COLOR, and its
// maps are as wide as the terminal.
func TestReportOnTerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "velo.yaml")
	require.NoError(t, os.WriteFile(path, hlt1.Velo(), 0o666))
	show := func(env ...string) string {
		end, terminal := openTerminal(t)
		defer end.Close()
		size := struct{ rows, columns, x, y uint16 }{rows: 40, columns: 111}
		_, _, e := syscall.Syscall(syscall.SYS_IOCTL, end.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size)))
		require.Zero(t, e)
		cmd := exec.Command("seqplan", "report", path)
		cmd.Stdout, cmd.Stderr, cmd.Env = terminal, os.Stderr, append(cmd.Environ(), append([]string{"COLUMNS=", "NO_COLOR=", "TERM=xterm"}, env...)...)
		require.NoError(t, cmd.Start())
		require.NoError(t, terminal.Close())
		var shown strings.Builder
		buffer := make([]byte, 4096)
		for {
			n, err := end.Read(buffer)
			shown.Write(buffer[:n])
			if err != nil { // the other end is closed, since the command has ended
				break
			}
		}
		require.NoError(t, cmd.Wait())
		return strings.ReplaceAll(shown.String(), "\r\n", "\n")
	}
	require.Contains(t, show(), "\x1b[1mStatic device pool, one worker\x1b[0m\n")
	require.NotContains(t, show("TERM=dumb"), "\x1b")
	plain := show("NO_COLOR=1")
	require.NotContains(t, plain, "\x1b")
	require.Contains(t, plain, "\nStatic device pool, one worker\n")
	require.Regexp(t, `\n +0 B \|[^|\n]{98}\|\n`, plain, "14 steps of 7 columns")
	require.Regexp(t, `\n +0 B \|[^|\n]{42}\|\n`, show("NO_COLOR=1", "COLUMNS=60"))
}
