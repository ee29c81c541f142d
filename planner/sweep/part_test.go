package sweep_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/sweep"
)

// partOf returns the part file of a whole run, and the rows.
func partOf(t *testing.T, w *sweep.Work) ([]byte, []sweep.Row) {
	path := filepath.Join(t.TempDir(), "part")
	rows, _ := run(t, w, sweep.Options{Jobs: 1, Part: path})
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data, rows
}

// A part file that ends anywhere is taken up: the rows that are whole are not made
// again, the others are, and the rows are the same.
func TestTornPart(t *testing.T) {
	w := work(t, "n=0:5")
	data, want := partOf(t, w)
	path := filepath.Join(t.TempDir(), "part")
	header := bytes.IndexByte(data, '\n') + 1
	for size := 0; size <= len(data); size += 1 + size%7 {
		require.NoError(t, os.WriteFile(path, data[:size], 0o666))
		kept := max(0, bytes.Count(data[:size], []byte("\n"))-1)
		if size < len(data) && data[size] == '\n' && size > header {
			kept++ // the row is whole, but for the end of its line
		}
		rows, done := run(t, w, sweep.Options{Part: path})
		require.Equal(t, want, rows, "%d bytes", size)
		require.Equal(t, 6-kept, done.Made, "%d bytes", size)
		_, again := run(t, w, sweep.Options{Part: path})
		require.Zero(t, again.Made, "%d bytes", size)
	}
}

// A line that was changed in any way is no row: the row is made again.
func TestDamagedPart(t *testing.T) {
	w := work(t, "n=1:3")
	data, want := partOf(t, w)
	header := bytes.IndexByte(data, '\n') + 1
	path := filepath.Join(t.TempDir(), "part")
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		bad := bytes.Clone(data)
		switch i := header + r.IntN(len(bad)-header); r.IntN(3) {
		case 0:
			bad[i] ^= 1 << r.IntN(8)
		case 1:
			bad = append(bad[:i], bad[min(len(bad), i+1+r.IntN(100)):]...)
		default:
			bad = append(bad[:i], append([]byte("\x00\n\r{}\n"), data[i:]...)...)
		}
		require.NoError(t, os.WriteFile(path, bad, 0o666))
		rows, _ := run(t, w, sweep.Options{Part: path})
		require.Equal(t, want, rows)
	}
}

// Rows of other work, and of places that the work does not have, are not taken, even with
// a right checksum and behind the right header.
func TestForeignRows(t *testing.T) {
	w := work(t, "n=1:3")
	data, want := partOf(t, w)
	header := data[:bytes.IndexByte(data, '\n')+1]
	for _, other := range []*sweep.Work{work(t, "n=1:9"), work(t, "n=4:6"), work(t, "k=1:3")} {
		foreign, _ := partOf(t, other)
		_, lines, _ := bytes.Cut(foreign, []byte("\n"))
		path := filepath.Join(t.TempDir(), "part")
		require.NoError(t, os.WriteFile(path, append(bytes.Clone(header), lines...), 0o666))
		rows, done := run(t, w, sweep.Options{Part: path})
		require.Equal(t, want, rows)
		require.Equal(t, 3, done.Made)
	}
}

// A file that is not the part file of the work is left as it is, and the error says what is
// another in it. If it is to be made anew nothing of it stays.
func TestOtherPart(t *testing.T) {
	w := work(t, "n=1:3")
	part := func(w *sweep.Work) string {
		data, _ := partOf(t, w)
		return string(data)
	}
	changed := workOf(t, []sweep.File{{Path: "small.yaml", Data: []byte(small + "\n")}}, "n=1:3")
	header, _, _ := strings.Cut(part(changed), "\n")
	for text, differs := range map[string]string{
		part(work(t, "n=1:4")):        "there the grid has 4 rows, and here 3",
		part(work(t, "k=1:3")):        "there the parameters are (k), and here (n)",
		part(work(t, "n=1:2", "n=4")): "there row 2 is n = 4, small.yaml, and here n = 3, small.yaml",
		part(changed):                 "the content of a file, or the version of this program, is another",
		header + "\n":                 "a file, the grid, or the version of this program is another",
		"notes of somebody":           "",
		"\n":                          "",
	} {
		path := filepath.Join(t.TempDir(), "part")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		_, _, err := w.Run(context.Background(), sweep.Options{Part: path})
		var other *sweep.OtherError
		require.ErrorAs(t, err, &other)
		if differs != "" {
			require.Equal(t, differs, other.Differs)
		}
		require.Equal(t, differs == "", other.Differs == "")
		require.ErrorContains(t, err, path)
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(data))

		_, done := run(t, w, sweep.Options{Part: path, Anew: true})
		require.Equal(t, 3, done.Made)
		_, done = run(t, w, sweep.Options{Part: path, Anew: true})
		require.Equal(t, sweep.Progress{Rows: 3, Done: 3, Kept: 3}, done, "its own rows are kept all the same")
	}
	_, _, err := w.Run(context.Background(), sweep.Options{Part: t.TempDir(), Anew: true})
	require.Error(t, err)
}

// partWith is a part file of the first rows.
func partWith(t *testing.T, w *sweep.Work, rows int) string {
	data, _ := partOf(t, w)
	path := filepath.Join(t.TempDir(), "part")
	lines := bytes.SplitAfter(data, []byte("\n"))
	require.NoError(t, os.WriteFile(path, bytes.Join(lines[:1+rows], nil), 0o666))
	return path
}

// The progress starts with what is in the part file.
func TestProgress(t *testing.T) {
	w := work(t, "n=0:9")
	path := partWith(t, w, 4)
	var told []sweep.Progress
	run(t, w, sweep.Options{Part: path, Jobs: 1, Progress: func(p sweep.Progress) { told = append(told, p) }})
	require.Len(t, told, 7)
	for made, p := range told {
		require.Equal(t, sweep.Progress{Rows: 10, Done: 4 + made, Kept: 4, Made: made, Errors: 1}, p)
	}
}

// A part file is that of one shard: another one, which would have the same output, is
// refused, also if both begin at once.
func TestPartOfAShard(t *testing.T) {
	w := work(t, "n=1:20")
	for range 20 {
		path := filepath.Join(t.TempDir(), "part")
		errs := make(chan error)
		for i := range 4 {
			go func() {
				_, _, err := w.Run(context.Background(), sweep.Options{Part: path, Shard: sweep.Shard{Index: i, Count: 4}})
				errs <- err
			}()
		}
		refused := 0
		for range 4 {
			if err := <-errs; err != nil {
				require.ErrorAs(t, err, new(*sweep.OtherError))
				require.ErrorContains(t, err, "/4, and here of ")
				refused++
			}
		}
		require.Equal(t, 3, refused)
	}
}

// One part file serves two runs at a time.
func TestSharedPart(t *testing.T) {
	w := work(t, "n=1:20")
	path := partWith(t, w, 5)
	type result struct {
		rows []sweep.Row
		err  error
	}
	results := make(chan result)
	for range 2 {
		go func() {
			rows, _, err := w.Run(context.Background(), sweep.Options{Part: path})
			results <- result{rows, err}
		}()
	}
	whole, _ := run(t, w, sweep.Options{})
	for range 2 {
		r := <-results
		require.NoError(t, r.err)
		require.Equal(t, whole, r.rows)
	}
	_, done := run(t, w, sweep.Options{Part: path})
	require.Zero(t, done.Made)
}

// envPart makes the test program a run with that part file.
const envPart = "SEQPLAN_TEST_PART"

func TestMain(m *testing.M) {
	path := os.Getenv(envPart)
	if path == "" {
		os.Exit(m.Run())
	}
	w, err := sweep.NewWork("v1", []sweep.File{{Path: "small.yaml", Data: []byte(small)}}, []sweep.Range{{Param: "n", Min: 1, Max: 300, Step: 1}})
	if err == nil {
		_, _, err = w.Run(context.Background(), sweep.Options{Part: path, Progress: func(p sweep.Progress) { fmt.Println(p.Done, p.Made) }})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// A run that is killed again and again, at any row, comes to the rows of one run, and
// repeats none that is in the part file.
func TestKilled(t *testing.T) {
	w := work(t, "n=1:300")
	want, _ := run(t, w, sweep.Options{})
	path := filepath.Join(t.TempDir(), "part")
	r := rand.New(rand.NewPCG(2, 2))
	kills := 0
	for finished := false; !finished; {
		var stderr bytes.Buffer
		cmd := exec.Command(os.Args[0])
		cmd.Env, cmd.Stderr = append(cmd.Environ(), envPart+"="+path), &stderr
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		made, limit := 0, 1+r.IntN(60)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			var done, n int
			_, err := fmt.Sscan(lines.Text(), &done, &n)
			require.NoError(t, err)
			if made = max(made, n); made >= limit {
				require.NoError(t, cmd.Process.Kill())
			}
		}
		finished = cmd.Wait() == nil
		require.Empty(t, stderr.String())
		if !finished {
			kills++
		}
	}
	require.Greater(t, kills, 2)
	t.Log(kills, "kills")

	data, err := os.ReadFile(path)
	require.NoError(t, err)
	times := map[string]int{}
	for _, line := range bytes.Split(data, []byte("\n"))[1:] {
		times[string(line)]++
	}
	for line, n := range times {
		require.True(t, line == "" || n == 1, "made %d times: %s", n, line)
	}
	rows, done := run(t, w, sweep.Options{Part: path})
	require.Zero(t, done.Made)
	require.Equal(t, want, rows)
}
