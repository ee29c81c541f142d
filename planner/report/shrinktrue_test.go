package report_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
	"github.com/seqplan/seqplan/sequences/streams"
)

// tiny makes the plan of a sequence with a buffer of one element, or nil if that is another
// sequence in other respects too.
func tiny(seq *sequences.Sequence, p *planner.Plan, id int) *planner.Plan {
	out := *seq
	out.Buffers = slices.Clone(seq.Buffers)
	b := &out.Buffers[id]
	b.Count, b.Shrinks, b.Gaps, b.Offset, b.Hint = &expr.Node{Kind: expr.Lit, Pos: b.Pos, Value: 1}, nil, nil, nil, nil
	return planSame(&out, p, func(i int) bool { return i == id }, func(i int) bool { return false })
}

// unread makes the plan of a sequence whose steps do not read a buffer in some uses.
func unread(seq *sequences.Sequence, p *planner.Plan, id int, dropped []report.Use, end sequences.StepID) *planner.Plan {
	out := *seq
	out.Steps = slices.Clone(seq.Steps)
	for _, u := range dropped {
		if u.Why != planner.UseRead {
			return nil
		}
		step := &out.Steps[u.Step]
		step.Reads = slices.DeleteFunc(slices.Clone(step.Reads), func(b sequences.BufferID) bool { return int(b) == id })
	}
	now := planSame(&out, p, func(i int) bool { return false }, func(i int) bool { return i == id })
	if now == nil || now.Buffers[id].Lifetime.End != end {
		return nil
	}
	return now
}

// planSame makes a plan, in which the sizes and lives of all other buffers are the same as before.
func planSame(seq *sequences.Sequence, p *planner.Plan, size, life func(int) bool) *planner.Plan {
	now, err := planner.Make(seq, planner.Options{SizesOnly: true})
	if err != nil || len(now.Waits) != len(p.Waits) || len(now.Added)+len(p.Added) > 0 {
		return nil
	}
	for i := range p.Buffers {
		a, b := &p.Buffers[i], &now.Buffers[i]
		if !size(i) && (a.Max != b.Max || !same(a.Typical, b.Typical) || !slices.Equal(a.Lent, b.Lent)) || !life(i) && a.Lifetime != b.Lifetime {
			return nil
		}
	}
	return now
}

func same(a, b *sequences.Bytes) bool { return (a == nil) == (b == nil) && (a == nil || *a == *b) }

// What is said of a pool is so in the plan of the changed file.
func TestShrinkIsTrue(t *testing.T) {
	exact, without, sooner, order, zero := 0, 0, 0, 0, 0
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 21))
		c := randseq.Small(r)
		if seed%3 > 0 {
			c = randseq.Streams(r)
		}
		c.Risky = 0
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		p, err := planner.Make(seq, planner.Options{SizesOnly: true})
		if err != nil {
			continue
		}
		for i, b := range p.Buffers {
			if b.Class == planner.Dynamic {
				continue
			}
			e, err := report.NewExplanation(p, b.Name)
			require.NoError(t, err)
			e.Repack()
			s := e.Shrink
			// A byte is left of the buffer, which may cost a place for it.
			rest := b.ElemSize + b.Align
			check := func(now *planner.Plan, most sequences.Bytes, packed *sequences.Bytes, rest sequences.Bytes) bool {
				if now == nil {
					return false
				}
				height := now.Pools[b.Scope].Height
				require.GreaterOrEqual(t, height, s.LowerBound-most, "seed %d, %s", seed, b.Name)
				require.NotNil(t, packed)
				require.LessOrEqual(t, height, min(s.Height, *packed)+rest, "seed %d, %s", seed, b.Name)
				if *packed == s.LowerBound-most {
					exact++
				}
				return true
			}
			if check(tiny(seq, p, i), s.Without, s.Packed, rest) {
				without++
				if s.BoundBy == planner.BoundByOrder && s.InBound && s.Without > 0 {
					order++
				}
			}
			for _, o := range s.Sooner {
				if check(unread(seq, p, i, o.Dropped, o.End), o.Saved, o.Packed, 0) {
					sooner++
					if o.Saved == 0 {
						zero++
					}
				}
			}
		}
	}
	t.Log(exact, without, sooner, order, zero)
	require.Greater(t, exact, 200)
	require.Greater(t, without, 300)
	require.Greater(t, sooner, 100)
	require.Greater(t, order, 10)
}

// The pool of the example with streams is what a missing order keeps together, and falls with
// a buffer of that set.
func TestShrinkOrder(t *testing.T) {
	seq, diags := sequences.Read("trigger.yaml", streams.Trigger())
	require.NoError(t, diags.Err())
	p := plans(t)["streams"]
	var out bytes.Buffer
	require.NoError(t, report.Explain(&out, p, "energies"))
	require.Contains(t, out.String(), "the device pool, of 172060672 B (164.1 MiB), falls\n")
	require.Contains(t, out.String(), " by 24576000 B (23.4 MiB) without the buffer\n")
	i := slices.IndexFunc(p.Buffers, func(b planner.Buffer) bool { return b.Name == "energies" })
	now := tiny(seq, p, i)
	require.Equal(t, p.Pools[0].Size-24576000+256, now.Pools[0].Size)

	out.Reset()
	require.NoError(t, report.Explain(&out, p, "adc"))
	require.Contains(t, out.String(), "no: the pool is for other buffers")
	require.Contains(t, out.String(), " by 0 B without the buffer\n")
}

// A pool that reaches to the end of a buffer at a fixed offset falls without that one only.
func TestShrinkFixed(t *testing.T) {
	p := planOf(t, `
device: {align: 256}
steps:
  - {name: a, writes: {far: {type: u8, count: 1024, offset: 8192}, near: {type: u8, count: 2048}}}
  - {name: b, reads: [far, near]}
`)
	for name, want := range map[string]string{
		"far":  "in the bound +yes: the pool reaches to its end .fixed offset.\n +to shrink .*\n +by 7168 B .7.0 KiB. without the buffer\n",
		"near": "in the bound +no: the pool reaches to the end of another buffer .fixed offset.\n +to shrink .*\n +by 0 B without the buffer\n",
	} {
		var out bytes.Buffer
		require.NoError(t, report.Explain(&out, p, name))
		require.Regexp(t, want, out.String())
	}
}

// Of a plan that was read only the bound is known.
func TestShrinkOfPlanFile(t *testing.T) {
	var data, out bytes.Buffer
	require.NoError(t, plans(t)["streams"].WriteJSON(&data))
	p, err := planner.ReadPlan(&data)
	require.NoError(t, err)
	require.NoError(t, report.Explain(&out, p, "energies"))
	require.Contains(t, out.String(), " by at most 24576000 B (23.4 MiB) without the buffer\n")
	require.Contains(t, out.String(), " by 0 B if it lived to step 10")
}

// A part of a buffer behind a gap may be behind an earlier end too.
func TestShrinkBehindGap(t *testing.T) {
	seq, diags := sequences.Read("gap.yaml", []byte(`
seqplan: 1
name: gap
device: {align: 256, reuse: event}
steps:
  - {name: a0, stream: a, writes: {lent: {type: u8, count: 2048, gaps: [{after: a0, before: a1}]}}}
  - {name: b0, stream: b, after: a0, writes: {x: {type: u8, count: 1024}}}
  - {name: b1, stream: b, reads: [x]}
  - {name: b2, stream: b, reads: [x]}
  - {name: a1, stream: a, after: b1, reads: [lent]}
`))
	require.NoError(t, diags.Err())
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	require.Equal(t, planner.BoundByOrder, p.Pools[0].BoundBy)
	e, err := report.NewExplanation(p, "x")
	require.NoError(t, err)
	require.NotEmpty(t, e.Shrink.Sooner)
	require.Equal(t, sequences.Bytes(1024), e.Shrink.Sooner[0].Saved)
	now := unread(seq, p, 1, e.Shrink.Sooner[0].Dropped, e.Shrink.Sooner[0].End)
	require.Equal(t, p.Pools[0].Height-1024, now.Pools[0].Height)
}
