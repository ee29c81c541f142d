package sequences_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// streamFaults are changes of testdata/valid/streams.yaml, each with one fault.
var streamFaults = []struct{ name, old, new, code string }{
	{"policy", "reuse: internal", "reuse: intern", "SP0028"},
	{"stream", "    stream: copy\n", "    stream: [copy]\n", "SP0023"},
	{"stream name", "stream: muon\n    after: [upload]", "stream: mu-on\n    after: [upload]", "SP0040"},
	{"stream of a host step", "    on: host\n", "    on: host\n    stream: copy\n", "SP0106"},
	{"stream moved to the host", "    stream: copy\n", "    stream: copy\n    on: host\n", "SP0106"},
	{"edge", "after: [upload, velo.fit]", "after: [upload, velo.fti]", "SP0074"},
	{"edge kind", "after: [upload, velo.fit]", "after: 3", "SP0023"},
	{"edge to a later step", "after: [upload, velo.fit]", "after: [upload, summary]", "SP0107"},
	{"edge to itself", "after: [upload, velo.fit]", "after: [muon.match, velo.fit]", "SP0107"},
	{"edge twice", "after: [upload, velo.fit]", "after: [velo.fit, velo.fit]", "SP0072"},
	{"edge that is missing", "after: [upload, velo.fit]", "after: upload", "SP0109"},
	{"edge that nothing replaces", "  - name: velo.decode\n    after: upload\n", "  - name: velo.decode\n", "SP0109"},
	{"key", "    after: [upload]\n", "    aftre: [upload]\n", "SP0020"},
	{"template", "with: {name: velo, stream: main, wait: upload}", "with: {name: velo, stream: main}", "SP0051"},
	{"pattern", `stream: "${stream}"`, `stream: "${stream}-"`, "SP0040"},
	{"read", "reads: [velo_tracks, muon_tracks]", "reads: [velo_track, muon_tracks]", "SP0061"},
	{"read in a gap", "    reads: [velo_offsets]\n", "    reads: [velo_offsets, banks]\n", "SP0115"},
	{"gap", "before: check, ", "before: chekc, ", "SP0074"},
	{"gap at another step", "after: upload, before: check", "after: velo.decode, before: check", "SP0114"},
	{"gap key", "{after: velo.tracking, before: velo.fit}", "{after: velo.tracking, befor: velo.fit}", "SP0020"},
	{"gap kind", "- {after: velo.tracking, before: velo.fit}", "- velo.fit", "SP0023"},
	{"gap end", "{after: velo.tracking, before: velo.fit}", "{after: velo.tracking, before: [velo.fit]}", "SP0023"},
	{"gap order", "{after: velo.tracking, before: velo.fit}", "{after: velo.tracking, before: summary}", "SP0115"},
	{"window", "[1KiB, 2KiB]", "[2KiB, 1KiB]", "SP0117"},
	{"window unit", "[1KiB, 2KiB]", "[1KB, 2KiB]", "SP0032"},
	{"shrink", "{after: velo.fit, count: n_events}", "{after: velo.fit, count: n_hits}", "SP0118"},
	{"shrink key", "{after: velo.fit, count: n_events}", "{after: velo.fit}", "SP0022"},
	{"shrink order", "{after: velo.fit, count: n_events}", "{after: velo.tracking, count: n_events}", "SP0116"},
	{"shrink taken over", `count: "n_events * 200"}`, `count: "n_events * 200", shrink: [{after: muon.decode, count: 1}]}`, "SP0111"},
	{"offset", "offset: 0,", "offset: 100,", "SP0110"},
	{"offset and hint", "hint: 0x10000", "hint: 0x10000, offset: 0", "SP0026"},
	{"kept", "offset: 0, gaps", "keep: true, offset: 0, gaps", "SP0113"},
	{"dynamic", "count: n_hits}", "count: n_hits, hint: 0}", "SP0112"},
	{"taker", "in_place_of: muon_hits}", "in_place_of: muon_hits, hint: 0}", "SP0111"},
	{"taker on a stream of its own", "    stream: muon\n    after: [upload, velo.fit]", "    stream: taker\n    after: [upload, velo.fit]", "SP0109"},
	{"edge that is redundant", "after: [upload, velo.fit]", "after: [upload, velo.fit, muon.decode]", "SP0108"},
}

// One fault of streams, places or loans gives one message, and no other for what
// follows from it.
func TestNoCascadeOfStreams(t *testing.T) {
	text := string(examples(t)["testdata/valid/streams.yaml"])
	for _, f := range streamFaults {
		require.Equal(t, 1, strings.Count(text, f.old), f.name)
		got := errorsOf(strings.Replace(text, f.old, f.new, 1))
		require.Len(t, got, 1, f.name)
		require.Contains(t, got[0], f.code, f.name)
	}
}

// A barrier has nothing to do with what later steps of the file write.
func TestEarlierBarrier(t *testing.T) {
	read(t, `
seqplan: 1
name: earlier
steps:
  - {name: s0, writes: {a: {type: u8, count: 1, group: g}}}
  - {name: s1, stream: other, after: s0, barrier: g}
  - {name: s2, writes: {b: {type: u8, count: 1, group: g, gaps: [{after: s2, before: s3}]}}}
  - {name: s3, reads: [b]}
`)
}

// An optional buffer that nothing uses races with nothing, lends nothing and uses
// nothing.
func TestDroppedBuffersOfStreams(t *testing.T) {
	s := read(t, `
seqplan: 1
name: dropped
steps:
  - name: s0
    writes:
      a: {type: u8, count: 1, gaps: [{after: s0, before: s2}]}
      b: {type: u8, count: 9, optional: true, gaps: [{after: s0, before: s1}], shrink: [{after: s1, count: 1}]}
  - name: s1
    stream: other
    writes:
      c: {type: ptr, count: 1}
      d: {type: ptr, count: 1, optional: true, views: [a]}
  - name: s2
    reads: [a]
`)
	require.Len(t, s.Buffers, 2)
}
