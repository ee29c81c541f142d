package host_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

type action uint8

const (
	launch action = iota
	record
	wait
	query
	syncEvent
	syncStream
)

// call is one call of the host: of a stream, and of an event if it takes one.
type call struct {
	action        action
	stream, event int
}

// queues tells whether the call puts something into its stream.
func (c call) queues() bool { return c.action <= wait }

// program is what a host does, call by call.
type program []call

// What happens: the host ends call i, or a stream runs what call i has queued.
func end(i int) int { return 2 * i }
func run(i int) int { return 2*i + 1 }

// history is what has been seen of a run: the calls that have ended and the launches
// that have run, in their order, and what the queries have answered.
type history struct {
	seen    []int
	answers map[int]bool // by the index of the call
}

func (h history) String() string { return fmt.Sprint(h.seen, h.answers) }

// play runs a program.
func (p program) play(t require.TestingT, interleave func(int, bool) int) history {
	return p.playOn(t, host.Options{Interleave: interleave})
}

func (p program) playOn(t require.TestingT, opts host.Options) history {
	h := history{answers: make(map[int]bool)}
	d := host.New(opts)
	require.NoError(t, d.Register("see", func(_ host.Memory, _ kernels.Grid, args kernels.Args) error {
		h.seen = append(h.seen, int(args[0]))
		return nil
	}))
	k, err := d.Kernel("see")
	require.NoError(t, err)
	streams, events := make([]kernels.Stream, 4), make([]kernels.Event, 4)
	for i := range streams {
		streams[i], err = d.NewStream()
		require.NoError(t, err)
		events[i], err = d.NewEvent()
		require.NoError(t, err)
	}
	for i, c := range p {
		s, e := streams[c.stream], events[c.event]
		switch c.action {
		case launch:
			err = s.Launch(k, one, kernels.Args{uint64(run(i))})
		case record:
			err = s.Record(e)
		case wait:
			err = s.Wait(e)
		case query:
			h.answers[i], err = e.Query()
		case syncEvent:
			err = e.Synchronize()
		case syncStream:
			err = s.Synchronize()
		}
		require.NoError(t, err)
		h.seen = append(h.seen, end(i))
	}
	for i := range streams {
		require.NoError(t, streams[i].Close())
		require.NoError(t, events[i].Close())
	}
	require.NoError(t, d.Close())
	return h
}

// rule says that one thing happens before another.
type rule struct{ before, after int }

// rules are those of the contract of kernels.Stream and kernels.Event.
func (p program) rules(answers map[int]bool) []rule {
	var rules []rule
	last, recorded := make(map[int]int), make(map[int]int) // by stream, by event
	for i, c := range p {
		at, queued := last[c.stream]
		point, isRecorded := recorded[c.event]
		if i > 0 {
			rules = append(rules, rule{end(i - 1), end(i)})
		}
		if i > 0 && c.queues() {
			rules = append(rules, rule{end(i - 1), run(i)})
		}
		if queued && c.queues() {
			rules = append(rules, rule{run(at), run(i)})
		}
		switch {
		case c.action == wait && isRecorded:
			rules = append(rules, rule{run(point), run(i)})
		case c.action == syncStream && queued:
			rules = append(rules, rule{run(at), end(i)})
		case c.action == syncEvent && isRecorded, c.action == query && isRecorded && answers[i]:
			rules = append(rules, rule{run(point), end(i)})
		case c.action == query && isRecorded:
			rules = append(rules, rule{end(i), run(point)})
		case c.action == query && !answers[i]:
			rules = append(rules, rule{end(i), end(i)}) // cannot be
		}
		if c.queues() {
			last[c.stream] = i
		}
		if c.action == record {
			recorded[c.event] = i
		}
	}
	return rules
}

// legal tells whether things can have happened in an order. What is not named in it,
// such as when an event was recorded, may have happened at any time.
func (p program) legal(h history) bool {
	rules := p.rules(h.answers)
	for i := range len(h.seen) - 1 {
		rules = append(rules, rule{h.seen[i], h.seen[i+1]})
	}
	for len(rules) > 0 {
		after := make(map[int]bool)
		for _, r := range rules {
			after[r.after] = true
		}
		n := len(rules)
		rules = slices.DeleteFunc(rules, func(r rule) bool { return !after[r.before] })
		if len(rules) == n {
			return false // each is behind another
		}
	}
	return true
}

// complete tells whether everything has happened once.
func (p program) complete(h history) bool {
	var want []int
	for i, c := range p {
		want = append(want, end(i))
		if c.action == launch {
			want = append(want, run(i))
		}
	}
	slices.Sort(want)
	return slices.Equal(want, slices.Sorted(slices.Values(h.seen)))
}

// The checker itself is right about what can be told by hand.
func TestLegal(t *testing.T) {
	p := program{
		{action: launch},
		{action: record},
		{action: query},
		{action: wait, stream: 1},
		{action: launch, stream: 1},
		{action: syncStream, stream: 1},
	}
	for _, test := range []struct {
		seen   []int
		done   bool
		legal  bool
		reason string
	}{
		{[]int{run(0), end(0), end(1), end(2), end(3), run(4), end(4), end(5)}, true, true, "at once"},
		{[]int{end(0), end(1), end(2), end(3), end(4), run(0), run(4), end(5)}, false, true, "when it is waited for"},
		{[]int{run(0), end(0), end(1), end(2), end(3), run(4), end(4), end(5)}, false, true, "the event is recorded late"},
		{[]int{end(0), end(1), end(2), end(3), end(4), run(0), run(4), end(5)}, true, false, "the event is not done"},
		{[]int{end(0), end(1), end(2), end(3), run(4), end(4), run(0), end(5)}, false, false, "nobody waits for the event"},
		{[]int{end(0), end(1), end(2), run(0), run(4), end(3), end(4), end(5)}, false, false, "before it is queued"},
		{[]int{end(0), end(1), end(2), run(0), end(3), end(4), end(5), run(4)}, false, false, "after the wait"},
	} {
		h := history{test.seen, map[int]bool{2: test.done}}
		require.True(t, p.complete(h), test.reason)
		require.Equal(t, test.legal, p.legal(h), test.reason)
	}
	never := program{{action: query}}
	require.True(t, never.legal(history{[]int{end(0)}, map[int]bool{0: true}}))
	require.False(t, never.legal(history{[]int{end(0)}, map[int]bool{0: false}}))
	require.False(t, never.complete(history{seen: []int{end(0), end(0)}}))
}
