package sweep_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner/sweep"
)

// An output with rows that a run does not write is not to be replaced, and what is another
// in it is said. One of the same rows, or of some of them, may be.
func TestCheckOutput(t *testing.T) {
	files := []sweep.File{{Path: "'=a,\"", Data: []byte(small)}, {Path: "b", Data: []byte(small)}}
	w := workOf(t, files, "n=1:2", "k=1:2")
	shard := sweep.Shard{Index: 1, Count: 3}
	for _, format := range []string{"jsonl", "csv"} {
		parts, whole := shards(t, w, 3, format)
		for _, f := range append(parts, sweep.File{Data: whole}, sweep.File{}, sweep.File{Data: []byte("work,row,rows,file,error\n")}) {
			require.NoError(t, w.CheckOutput(f, sweep.Shard{}))
			require.NoError(t, sweep.CheckMerged(f, whole))
		}
		require.NoError(t, w.CheckOutput(parts[1], shard))
		of := func(files []sweep.File, ranges ...string) []byte {
			_, whole := shards(t, workOf(t, files, ranges...), 1, format)
			return whole
		}
		changed := []sweep.File{files[0], {Path: "b", Data: []byte(small + "\n")}}
		for says, data := range map[string][]byte{
			"the grid has 12 rows, and here 8":              of(files, "n=1:2", "k=1:3"),
			"the parameters are (k, n), and here (n, k)":    of(files, "k=1:2", "n=1:2"),
			"the parameters are (), and here (n, k)":        of(files),
			"row 2 is n = 3, k = 1, '=a,\", and here n = 2": of(files, "n=1", "n=3", "k=1:2"),
			"row 0 is n = 1, k = 1, b, and here n = 1":      of([]sweep.File{files[1], files[0]}, "n=1:2", "k=1:2"),
			"the content of a file, or the version":         of(changed, "n=1:2", "k=1:2"),
			"":                                              []byte("x: no sweep\n"),
			"is there and holds no rows":                    []byte(strings.TrimSpace(string(whole))),
		} {
			old := sweep.File{Path: "old", Data: data}
			for i, err := range []error{w.CheckOutput(old, sweep.Shard{}), sweep.CheckMerged(old, whole)} {
				var other *sweep.OtherError
				require.ErrorAs(t, err, &other, "%s %d", says, i)
				require.ErrorContains(t, err, says)
				require.ErrorContains(t, err, "old ")
			}
		}
		for i, missing := range []int{0, -1, 2} {
			err := w.CheckOutput(parts[i], shard)
			if missing < 0 {
				require.NoError(t, err)
				continue
			}
			require.ErrorContains(t, err, fmt.Sprintf("there is row %d, which is not of this shard", missing))
		}
	}
}

// What an output calls its files and parameters is harmless where it is told.
func TestHostileOutput(t *testing.T) {
	w := workOf(t, []sweep.File{{Path: "a", Data: []byte(small)}}, "n=1")
	_, whole := shards(t, w, 1, "jsonl")
	for _, names := range [][2]string{{`"a"`, `"\u001b[2J"`}, {`{"n":`, "{\"\u202e\":"}} {
		err := w.CheckOutput(sweep.File{Data: bytes.Replace(whole, []byte(names[0]), []byte(names[1]), 1)}, sweep.Shard{})
		require.ErrorContains(t, err, ", and here ", "%s", names[1])
		require.Equal(t, prose.Plain(err.Error()), err.Error())
	}
}

// Rows of several sweeps, of which some have places that the grid does not, are others.
func TestMixedOutput(t *testing.T) {
	w := work(t, "n=1:2")
	_, two := shards(t, w, 1, "jsonl")
	_, nine := shards(t, work(t, "n=1:9"), 1, "jsonl")
	require.ErrorContains(t, w.CheckOutput(sweep.File{Data: append(two, nine...)}, sweep.Shard{}), "the grid has 9 rows, and here 2")
}
