package host_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// all calls f with each sequence of answers that a function can give.
func all(f func(interleave func(int, bool) int)) {
	var path, options []int // what was answered so far, of how many
	for {
		depth := 0
		f(func(ready int, waiting bool) int {
			if depth == len(path) {
				path, options = append(path, 0), append(options, ready)
				if !waiting {
					options[depth]++
				}
			}
			depth++
			if path[depth-1] == ready {
				return -1
			}
			return path[depth-1]
		})
		for len(path) > 0 && path[len(path)-1] == options[len(path)-1]-1 {
			path, options = path[:len(path)-1], options[:len(path)-1]
		}
		if len(path) == 0 {
			return
		}
		path[len(path)-1]++
	}
}

// everyHistory puts all that can be seen of a program into a set: of all orders of
// what happens, those that the rules allow.
func (p program) everyHistory(answers map[int]bool, into map[string]bool) {
	var things []int
	for i, c := range p {
		things = append(things, end(i))
		if c.queues() {
			things = append(things, run(i))
		}
	}
	rules := p.rules(answers)
	happened := make(map[int]bool)
	var seen []int
	var extend func()
	extend = func() {
		if len(happened) == len(things) {
			into[history{seen, answers}.String()] = true
		}
	next:
		for _, x := range things {
			if happened[x] {
				continue
			}
			for _, r := range rules {
				if r.after == x && !happened[r.before] {
					continue next
				}
			}
			before := seen
			if x%2 == 0 || p[x/2].action == launch {
				seen = append(seen, x)
			}
			happened[x] = true
			extend()
			delete(happened, x)
			seen = before
		}
	}
	extend()
}

// tiny is two launches in one stream and three in another, of which two wait until the
// first one of the other stream has run.
var tiny = program{
	{action: launch},
	{action: record},
	{action: launch},
	{action: launch, stream: 1},
	{action: wait, stream: 1},
	{action: launch, stream: 1},
	{action: launch, stream: 1},
	{action: syncStream, stream: 1},
	{action: syncStream},
}

// Everything that is legal can happen: all histories of a program with each way to
// answer are those that the rules allow.
func TestInterleaveIsComplete(t *testing.T) {
	for name, p := range map[string]program{
		"event": {
			{action: launch},
			{action: record},
			{action: launch},
			{action: wait, stream: 1},
			{action: launch, stream: 1},
			{action: query},
			{action: syncStream, stream: 1},
			{action: syncStream},
		},
		"wait for the event": {
			{action: launch, stream: 1},
			{action: launch},
			{action: record},
			{action: launch},
			{action: syncEvent},
			{action: query},
			{action: syncStream},
			{action: syncStream, stream: 1},
		},
		"two and three": tiny,
		"recorded again": {
			{action: query},
			{action: record},
			{action: launch, stream: 1},
			{action: record, stream: 1},
			{action: query},
			{action: wait},
			{action: launch},
			{action: syncStream},
		},
	} {
		want, got := make(map[string]bool), make(map[string]bool)
		queries := []int{}
		for i, c := range p {
			if c.action == query {
				queries = append(queries, i)
			}
		}
		for bits := range 1 << len(queries) {
			answers := make(map[int]bool)
			for i, q := range queries {
				answers[q] = bits>>i&1 == 1
			}
			p.everyHistory(answers, want)
		}
		runs := 0
		all(func(interleave func(int, bool) int) {
			runs++
			got[p.play(t, interleave).String()] = true
		})
		t.Logf("%s: %d histories in %d runs", name, len(want), runs)
		require.Equal(t, want, got, name)
	}
}

// order is that of the launches alone.
func (h history) order() []int {
	return slices.DeleteFunc(slices.Clone(h.seen), func(x int) bool { return x%2 == 0 })
}

// Seeds are enough to see all orders of a tiny program.
func TestInterleaveAtRandom(t *testing.T) {
	want := make(map[string]bool)
	var permute func(order, rest []int)
	permute = func(order, rest []int) {
		if h := (history{seen: order}); len(rest) == 0 && tiny.legal(h) {
			want[h.String()] = true
		}
		for i, x := range rest {
			permute(append(slices.Clone(order), x), slices.Delete(slices.Clone(rest), i, i+1))
		}
	}
	permute(nil, []int{run(0), run(2), run(3), run(5), run(6)})
	require.Len(t, want, 7, "ten ways to mix two and three, without those that run 5 before 0")
	got := make(map[string]bool)
	for seed := range uint64(500) {
		got[history{seen: tiny.play(t, atRandom(seed)).order()}.String()] = true
	}
	require.Equal(t, want, got)
}
