package pack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/pack/audit"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
)

func problemOf(f *csvfile.File) pack.Problem {
	var p pack.Problem
	for _, b := range f.Buffers {
		q := pack.Buffer{First: b.Lower, End: b.Upper, Size: b.Size, Align: max(1, b.Align), Offset: b.Offset, Hint: b.Hint}
		p.Buffers = append(p.Buffers, q)
	}
	return p
}

func TestInstances(t *testing.T) {
	files, err := filepath.Glob("../../../shared/instances/[A-Ha-h]*.csv")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("no instances in ../../../shared/instances")
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		file, diags := csvfile.Read(f, text)
		require.Empty(t, diags)
		p := problemOf(file)
		start := time.Now()
		r, err := pack.Engine{}.Pack(t.Context(), p)
		require.NoError(t, err)
		require.NoError(t, audit.Check(p, r))
		fmt.Printf("%s n=%d %v height %d bound %d (%v) gap %.4f %s nodes %d %v\n", filepath.Base(f), len(p.Buffers), r.Status, r.Height, r.Bound.Bytes, r.Bound.Kind, r.Gap(), r.Method, r.Nodes, time.Since(start))
	}
}
