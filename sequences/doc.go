// Package sequences owns the model of a sequence and the one reader for it: YAML
// and JSON in, a checked Sequence or every fault of the file out.
//
// Read and Load work as a pipeline of passes: text, values, templates, keys,
// names, expressions, references, order, model. Each pass reports all it finds and
// hands on what is sound, so that one fault gives one message and two faults give
// two. The result is a Sequence, or diagnostics with at least one error, never
// both and never neither; warnings may accompany a Sequence. No input makes the
// reader panic, and its time and memory are bounded: see the limits in limits.go.
//
// NewHappensBefore gives the order in which the steps of several streams run. The
// reader refuses data races in it.
//
// Format rewrites a file in canonical form and keeps its comments, Schema is the
// JSON Schema of the format for editors, Starter is a first file to edit. The
// format itself is described in docs/sequence-file.md, the codes of the
// diagnostics in docs/diagnostics.md.
package sequences
