package planner_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/sequences"
)

// withReuse is a sequence with one policy in both scopes.
func withReuse(seq *sequences.Sequence, r sequences.Reuse) *sequences.Sequence {
	out := *seq
	out.Device.Reuse, out.Host.Reuse = r, r
	return &out
}

var policies = []sequences.Reuse{sequences.ReuseOff, sequences.ReuseStream, sequences.ReuseEvent, sequences.ReuseInternal}

// Every random sequence with several streams, gaps, shrinks, offsets and hints either is
// refused with diagnostics or has a plan that passes the verifier, by every policy, and
// planning it again gives the same plan.
func TestStreamsErrorXorVerifiedPlan(t *testing.T) {
	plans, refused, added, lent := 0, map[string]int{}, 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 3))
		data := randseq.YAML(r, randseq.Streams(r))
		seq := read(t, data)
		for _, policy := range policies {
			p, err := planner.Make(withReuse(seq, policy), planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}})
			again, err2 := planner.Make(withReuse(seq, policy), planner.Options{Packer: pack.FirstFit{Order: pack.ByArea}})
			require.Equal(t, err, err2)
			require.Equal(t, p, again)
			if err != nil {
				var diags sequences.Diagnostics
				require.True(t, errors.As(err, &diags), "seed %d, %s: %v\n%s", seed, policy, err, data)
				require.True(t, diags.HasErrors())
				refused[string(diags[0].Code)]++
				continue
			}
			plans++
			added += len(p.Added)
			for _, b := range p.Buffers {
				lent += len(b.Lent)
			}
			require.True(t, policy == sequences.ReuseInternal || len(p.Added) == 0)
			require.Equal(t, len(seq.Streams) > 1, len(p.Streams) > 1)
		}
	}
	t.Log(plans, refused, added, lent)
	require.Greater(t, plans, 800)
	require.Greater(t, added, 20)
	require.Greater(t, lent, 100)
}

// What more order allows is no higher.
func TestHeightsOfPolicies(t *testing.T) {
	compared, lower := 0, 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		c := randseq.Streams(r)
		c.Streams, c.Loans, c.Places, c.Dynamic, c.Buffers = 2+r.IntN(3), 0, 0, 0, min(c.Buffers, 18)
		seq := read(t, randseq.YAML(r, c))
		var last *planner.Plan
		for _, policy := range policies {
			s := withReuse(seq, policy)
			p, err := planner.Make(s, planner.Options{Packer: pack.Engine{Effort: pack.Quick}})
			if err != nil {
				break
			}
			for i, pool := range p.Pools {
				if last == nil || !pool.Optimal || !last.Pools[i].Optimal {
					continue
				}
				compared++
				require.LessOrEqual(t, pool.Height, last.Pools[i].Height, "seed %d, %s, %s", seed, policy, pool.Scope)
				if pool.Height < last.Pools[i].Height {
					lower++
				}
			}
			last = p
		}
	}
	t.Log(compared, lower)
	require.Greater(t, compared, 100)
	require.Greater(t, lower, 30)
}

const threeStreams = `
seqplan: 1
name: three
device: {reuse: %s}
steps:
  - {name: a, writes: {a0: {type: u8, count: 1024}}}
  - {name: b, reads: [a0], writes: {a1: {type: u8, count: 256}}}
  - {name: c, stream: side, after: a, writes: {b0: {type: u8, count: 1024}}}
  - {name: d, stream: side, reads: [b0], writes: {b1: {type: u8, count: 256}}}
  - {name: e, stream: last, after: d, writes: {c0: {type: u8, count: 1024}}}
  - {name: f, stream: last, reads: [c0], writes: {c1: {type: u8, count: 256}}}
  - {name: g, stream: last, after: [b], reads: [a1, b1, c1]}
`

// b0 and c0 can share along the edge from d to e; a0 and b0 cannot unless c waits for b,
// which makes the edge from b to g superfluous.
func TestPolicies(t *testing.T) {
	for _, tc := range []struct {
		reuse  string
		height sequences.Bytes
		added  []planner.AddedEdge
		could  []planner.AddedEdge
		after  string
	}{
		{"off", 3*1024 + 3*256, nil, nil, "c:0 e:3 g:1"},
		{"stream", 3*1024 + 3*256, nil, nil, "c:0 e:3 g:1"},
		{"event", 2*1024 + 3*256, nil, []planner.AddedEdge{{From: 1, To: 2, Saved: 1024}}, "c:0 e:3 g:1"},
		{"internal", 1024 + 3*256, []planner.AddedEdge{{From: 1, To: 2, Saved: 1024}}, nil, "c:1 e:3"},
	} {
		t.Run(tc.reuse, func(t *testing.T) {
			p := makePlan(t, read(t, fmt.Appendf(nil, threeStreams, tc.reuse)))
			pool := p.Pools[sequences.Device]
			require.Equal(t, tc.height, pool.Height)
			require.True(t, pool.Optimal)
			require.Equal(t, tc.reuse, pool.Reuse)
			require.Equal(t, tc.added, p.Added)
			require.Equal(t, tc.could, pool.Could)
			require.Equal(t, []string{"main", "side", "last"}, p.Streams)
			require.Equal(t, tc.after, afterText(p))
		})
	}
}

// afterText prints the waits, "step:step,step".
func afterText(p *planner.Plan) string {
	var out []string
	for _, s := range p.Steps {
		if len(s.After) > 0 {
			out = append(out, s.Name+":"+strings.Join(strings.Fields(strings.Trim(fmt.Sprint(s.After), "[]")), ","))
		}
	}
	return strings.Join(out, " ")
}

// A host step is behind all earlier steps and before all later ones. Where the host does
// not wait for that, streams wait for each other.
func TestAfterHostSteps(t *testing.T) {
	for _, tc := range []struct{ name, steps, want string }{
		{"a host step between streams", `
  - {name: a, writes: {x: {type: u8, count: 1}}}
  - {name: b, stream: side, writes: {y: {type: u8, count: 1}}}
  - {name: h, on: host}
  - {name: c, writes: {z: {type: u8, count: 1}}}
  - {name: d, stream: side, reads: [x]}
`, "c:1 d:0"},
		{"the host waits", `
  - {name: a, writes: {x: {type: u8, count: 1, scope: host}}}
  - {name: b, stream: side, writes: {y: {type: u8, count: 1}}}
  - {name: h, on: host, reads: [x]}
  - {name: c, reads: [y]}
  - {name: d, stream: side, reads: [x]}
`, ""},
		{"a copy to the device", `
  - {name: a, writes: {x: {type: u8, count: 1}}}
  - {name: b, stream: side, writes: {y: {type: u8, count: 1}}}
  - {name: h, on: host, writes: {z: {type: u8, count: 1}}}
  - {name: c, reads: [z]}
  - {name: d, stream: side, reads: [z]}
`, "h:1 d:2"},
		{"a copy to the device behind a wait", `
  - {name: a, writes: {x: {type: u8, count: 1, scope: host}}}
  - {name: b, stream: side, writes: {y: {type: u8, count: 1}}}
  - {name: h, on: host, reads: [x], writes: {z: {type: u8, count: 1}}}
  - {name: c, reads: [z]}
  - {name: d, stream: side, reads: [z, y]}
`, "d:2"},
		{"an edge that another one implies", `
  - {name: a, writes: {x: {type: u8, count: 1}}}
  - {name: b, stream: side, after: a, writes: {y: {type: u8, count: 1}}}
  - {name: c, stream: last, after: [a, b], reads: [x, y]}
`, "b:0 c:1"},
		{"a host step at the start", `
  - {name: h, on: host, writes: {x: {type: u8, count: 1, scope: host}}}
  - {name: a, reads: [x]}
  - {name: b, stream: side, reads: [x]}
`, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := makePlan(t, read(t, []byte("seqplan: 1\nname: order\nsteps:"+tc.steps)))
			require.Equal(t, tc.want, afterText(p))
		})
	}
}

// Fixed offsets and hints count from the start of the packed area.
func TestPlaces(t *testing.T) {
	p := makePlan(t, read(t, []byte(`
seqplan: 1
name: places
steps:
  - name: a
    writes:
      low: {type: u8, count: 1000, offset: 4096}
      hinted: {type: u8, count: 1000, hint: 1KiB}
      high: {type: u8, count: 3000, scope: host, offset: 64}
      free: {type: u8, count: 600}
  - {name: b, reads: [low, hinted, high, free]}
`)))
	offset := map[string]sequences.Bytes{}
	for _, b := range p.Buffers {
		offset[b.Name] = b.Offset
	}
	start := p.Pools[sequences.Device].Reserved
	require.Equal(t, start+4096, offset["low"])
	require.Equal(t, start+1024, offset["hinted"])
	require.Equal(t, sequences.Bytes(64), offset["high"])
	require.Equal(t, sequences.Bytes(5120), p.Pools[sequences.Device].Height)
	require.True(t, p.Pools[sequences.Device].Optimal)
	require.Equal(t, "fixed offset", p.Pools[sequences.Device].BoundBy)
	require.Equal(t, sequences.StepID(0), p.Pools[sequences.Device].PeakStep)
}

// A gap of host memory starts when the device is done with it, as far as the host knows.
func TestGapInFlight(t *testing.T) {
	for _, tc := range []struct {
		on     string
		height sequences.Bytes
	}{{"device", 4096}, {"host", 8192}} {
		p := makePlan(t, read(t, fmt.Appendf(nil, `
seqplan: 1
name: gap
steps:
  - {name: a, writes: {table: {type: u8, count: 4096, scope: host, gaps: [{after: a, before: c}]}}}
  - {name: b, on: %s, writes: {other: {type: u8, count: 4096, scope: host}}}
  - {name: c, reads: [table]}
`, tc.on)))
		require.Equal(t, tc.height, p.Pools[sequences.Host].Height, tc.on)
	}
}

// A buffer that takes over a larger one leaves the rest to others.
func TestPartsOfStorage(t *testing.T) {
	p := makePlan(t, read(t, []byte(`
seqplan: 1
name: parts
steps:
  - {name: a, writes: {large: {type: u8, count: 4096}}}
  - {name: b, reads: [large], writes: {small: {type: u8, count: 1024, in_place_of: large}}}
  - {name: c, reads: [small], writes: {other: {type: u8, count: 3072}}}
  - {name: d, reads: [other, small]}
`)))
	pool := p.Pools[sequences.Device]
	require.Equal(t, sequences.Bytes(4096), pool.Height)
	require.True(t, pool.Optimal)
}

// The pools of the sequences of a trigger are packed as well as they can be.
func TestHLT1IsOptimal(t *testing.T) {
	for _, name := range []string{"velo", "reco"} {
		data, err := os.ReadFile("../sequences/hlt1/" + name + ".yaml")
		require.NoError(t, err)
		for _, pool := range makePlan(t, read(t, data)).Pools {
			require.True(t, pool.Optimal, "%s, %s", name, pool.Scope)
		}
	}
}

// With several streams the arena gives nothing back before the end.
func TestDynamicStreams(t *testing.T) {
	p := makePlan(t, read(t, []byte(`
seqplan: 1
name: dynamic
counts: {n: {at: "o[0]", max: 1000}}
steps:
  - {name: a, writes: {o: {type: u32, count: 1}}}
  - {name: b, reads: [o], writes: {x: {type: u8, count: n}}}
  - {name: c, stream: side, after: b, reads: [x], writes: {y: {type: u8, count: n}}}
  - {name: d, stream: side, reads: [y], writes: {z: {type: u8, count: n}}}
  - {name: e, after: c}
`)))
	require.False(t, p.Arena.Reuse)
	require.Nil(t, p.Arena.Simulated)
	require.Equal(t, sequences.Bytes(3*1024), p.Arena.Worst.Sum)
	require.Equal(t, "c:1 e:2", afterText(p))
}
