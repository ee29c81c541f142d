package trace

import "github.com/seqplan/seqplan/internal/splitmix"

// Sizes and load of a random trace.
const (
	smallest  = 8         // bits of the size in bytes
	octaves   = 16        // up to 16 MiB
	load      = 512 << 20 // most bytes live
	syncEvery = 256       // allocations
)

// Random makes a trace of about so many allocations and frees in one stream. Their
// sizes are about log-uniform between 256 bytes and 16 MiB: each octave is as likely as
// another, and even inside. Before an allocation some others, drawn among all that are
// live, are freed, as many as it takes to keep at most 512 MiB live.
func Random(calls int, seed uint64) *Trace {
	t := &Trace{Streams: 1}
	var all []held
	var bytes uint64
	draw := uint64(0)
	next := func(n uint64) uint64 {
		draw++
		return splitmix.Hash(seed, draw) % n
	}
	free := func(i int) {
		h := all[i]
		all[i] = all[len(all)-1]
		all = all[:len(all)-1]
		bytes -= h.size
		t.free(0, h)
	}
	for t.Calls() < calls {
		octave := uint64(1) << (smallest + next(octaves))
		size := octave + next(octave)
		for bytes+size > load {
			free(int(next(uint64(len(all)))))
		}
		bytes += size
		all = append(all, t.alloc(0, size))
		t.Ops = append(t.Ops, Op{Kind: Work})
		if t.IDs%syncEvery == 0 {
			t.Ops = append(t.Ops, Op{Kind: Sync})
		}
	}
	for len(all) > 0 {
		free(len(all) - 1)
	}
	return t
}
