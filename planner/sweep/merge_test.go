package sweep_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/sweep"
)

// shards runs a work in shards and returns what each writes, and what one run writes.
func shards(t testing.TB, w *sweep.Work, count int, format string) ([]sweep.File, []byte) {
	write := func(rows []sweep.Row) []byte {
		if format == "csv" {
			return w.CSV(rows)
		}
		return sweep.JSON(rows)
	}
	var out []sweep.File
	for i := range count {
		rows, _ := run(t, w, sweep.Options{Shard: sweep.Shard{Index: i, Count: count}})
		out = append(out, sweep.File{Path: fmt.Sprintf("out.%d", i), Data: write(rows)})
	}
	rows, _ := run(t, w, sweep.Options{})
	return out, write(rows)
}

// Shards merged in any order are what one run writes, byte for byte, also if there are
// more shards than rows.
func TestMerge(t *testing.T) {
	files := []sweep.File{{Path: `=b,"a".yaml`, Data: []byte(small)}, {Path: "bad", Data: []byte("x")}}
	w := workOf(t, files, "n=0:4", "k=1:2")
	for _, format := range []string{"jsonl", "csv"} {
		for _, count := range []int{1, 2, 4, 30} {
			parts, whole := shards(t, w, count, format)
			merged, err := sweep.Merge(parts)
			require.NoError(t, err)
			require.Equal(t, string(whole), string(merged), "%s %d", format, count)
			for i := range parts {
				parts[i], parts[(i*7+3)%count] = parts[(i*7+3)%count], parts[i]
			}
			merged, err = sweep.Merge(parts)
			require.NoError(t, err)
			require.Equal(t, string(whole), string(merged))
		}
	}
}

func TestMergeRefuses(t *testing.T) {
	w, other := work(t, "n=1:8"), work(t, "n=2:9")
	for _, format := range []string{"jsonl", "csv"} {
		good, _ := shards(t, w, 4, format)
		wrong, _ := shards(t, other, 4, format)
		more, _ := shards(t, work(t, "n=1:9"), 4, format)
		mixed, _ := shards(t, w, 4, map[string]string{"jsonl": "csv", "csv": "jsonl"}[format])
		with := func(data []byte) []sweep.File {
			return []sweep.File{good[0], good[1], good[2], {Path: "out.3", Data: data}}
		}
		last := good[3].Data
		for name, c := range map[string]struct {
			shards []sweep.File
			says   string
		}{
			"none":       {nil, "no rows"},
			"empty":      {[]sweep.File{{Path: "e"}}, "no rows"},
			"missing":    {good[:3], "not complete: 2 of 8 rows are missing, the first is row 3"},
			"cut":        {with(last[:bytes.IndexByte(last[:len(last)-1], '\n')+1]), "not complete"},
			"twice":      {[]sweep.File{good[0], good[1], good[1]}, "row 1 is in out.1 too"},
			"other work": {with(wrong[3].Data), "of other work"},
			"larger":     {with(more[3].Data), "of other work"},
			"torn":       {with(last[:len(last)-5]), "torn"},
			"mixed":      {with(mixed[3].Data), "another format"},
			"garbage":    {with([]byte("hello\n")), ""},
			"no lines":   {with([]byte("\n")), ""},
			"blank line": {with(append(bytes.Clone(last), '\n')), "no row of a sweep"},
			"spaces":     {with(bytes.ReplaceAll(last, []byte(`"row"`), []byte(` "row"`))), ""},
			"quoted":     {with(bytes.Replace(last, []byte(",3,8,"), []byte(`,"3",8,`), 1)), "no row of a sweep"},
			"half a row": {with([]byte(regexp.MustCompile(`(?m),"host".*$`).ReplaceAllString(string(last), "}"))), "no row of a sweep"},
			"no row":     {with(append(bytes.Clone(last), "{}\n"...)), "no row of a sweep"},
			"negative":   {with(bytes.Replace(bytes.Replace(last, []byte(`"row":3`), []byte(`"row":-3`), 1), []byte(",3,8,"), []byte(",-3,8,"), 1)), "no row of a sweep"},
			"huge":       {[]sweep.File{{Path: "h", Data: bytes.ReplaceAll(bytes.ReplaceAll(last, []byte(`"rows":8`), []byte(`"rows":9000000000`)), []byte(",8,"), []byte(",9000000000,"))}}, "no row of a sweep"},
		} {
			if name == "quoted" && format == "jsonl" || slices.Contains([]string{"spaces", "half a row"}, name) && format == "csv" {
				continue // that is nothing there
			}
			_, err := sweep.Merge(c.shards)
			require.ErrorContains(t, err, c.says, "%s %s", format, name)
			var merge *sweep.MergeError
			require.ErrorAs(t, err, &merge)
		}
	}
}

// No bytes make Merge or a check panic, and what Merge returns it takes again.
func FuzzMerge(f *testing.F) {
	w := work(f, "n=0:3")
	for _, format := range []string{"jsonl", "csv"} {
		parts, whole := shards(f, w, 2, format)
		f.Add(parts[0].Data, parts[1].Data)
		f.Add(whole, []byte{})
	}
	f.Add([]byte("work,row,rows,x\na,0,1,\"q\"\"\n"), []byte("{}\n"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		_ = w.CheckOutput(sweep.File{Path: "a", Data: a}, sweep.Shard{})
		merged, err := sweep.Merge([]sweep.File{{Path: "a", Data: a}, {Path: "b", Data: b}})
		if err != nil {
			return
		}
		again, err := sweep.Merge([]sweep.File{{Path: "m", Data: merged}})
		require.NoError(t, err)
		require.Equal(t, merged, again)
		require.NoError(t, sweep.CheckMerged(sweep.File{Data: a}, merged), "nothing of it is lost")
	})
}
