package blockpool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/blockpool"
	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/devices"
)

// TestData writes a pattern to every block, and finds it there whatever happened to
// other blocks meanwhile.
func TestData(t *testing.T) {
	for _, spec := range []string{"host", "opencl"} {
		t.Run(spec, func(t *testing.T) {
			dev, err := devices.Open(spec)
			tooltest.Opened(t, err, devices.Carried())
			t.Cleanup(func() { require.NoError(t, dev.Close()) }) // an error if something is left
			testData(t, dev)
		})
	}
}

func testData(t *testing.T, dev kernels.Device) {
	pool := newPoolOn(t, dev, blockpool.Options{Size: 1 << 18, Expand: 1 << 16})
	stream, err := dev.NewStream()
	require.NoError(t, err)
	report, err := dev.Alloc(kernels.CheckReportSize)
	require.NoError(t, err)
	require.NoError(t, stream.Memset(report, 0, kernels.CheckReportSize))
	launch := func(name string, args ...uint64) {
		k, err := dev.Kernel(name)
		require.NoError(t, err)
		var a kernels.Args
		copy(a[:], args)
		require.NoError(t, stream.Launch(k, kernels.Grid{Blocks: 4, Threads: 64}, a))
	}
	place := uint64(kernels.StaticPlace(0))
	fill := func(b blockpool.Block) {
		addr, err := pool.BlockPtr(b.ID)
		require.NoError(t, err)
		launch(kernels.Fill, uint64(addr), 0, place, 0, b.Size, uint64(b.ID))
	}
	var checked uint64
	check := func(b blockpool.Block) {
		addr, err := pool.BlockPtr(b.ID)
		require.NoError(t, err)
		launch(kernels.Check, uint64(addr), 0, place, 0, b.Size, uint64(b.ID), uint64(report))
		checked += b.Size
	}
	w := blockpool.NewWorkspace(pool)
	var blocks []blockpool.Block
	for i := range uint64(150) {
		h := splitmix.Hash(3, i)
		if len(blocks) > 20 || h%3 == 0 && len(blocks) > 0 {
			k := h / 3 % uint64(len(blocks))
			check(blocks[k])
			free(t, pool, blocks[k])
			blocks[k] = blocks[len(blocks)-1]
			blocks = blocks[:len(blocks)-1]
		} else {
			b := alloc(t, pool, 1+h>>8%20_000)
			fill(b)
			blocks = append(blocks, b)
		}
		if i%25 == 0 {
			if w.Size() > 0 {
				check(w.Block())
			}
			need(t, w, 100+i*100)
			fill(w.Block())
		}
	}
	for _, b := range append(blocks, w.Block()) {
		check(b)
	}
	out := make([]byte, kernels.CheckReportSize)
	require.NoError(t, stream.CopyToHost(out, report))
	require.NoError(t, stream.Synchronize())
	require.Equal(t, kernels.CheckReport{Checked: checked}, kernels.ReadCheckReport(out))
	require.Positive(t, pool.Stats().Expanded)
	require.Positive(t, pool.Stats().Hits)
	free(t, pool, blocks...)
	require.NoError(t, w.Close())
	require.NoError(t, dev.Free(report))
	require.NoError(t, stream.Close())
}
