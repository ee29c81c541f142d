// Package gen writes what a user compiles: a Go file and a C header with the
// offsets, sizes, slots and the step program of a plan, and the functions that
// compute the sizes of its buffers.
//
// Both outputs are a pure function of the sequence, the plan and the options: no
// time, path, version or order of a map gets into them. What a user could get
// wrong stops the build at the line that names it: an element type whose size or
// alignment is not the one of the sequence file, an ABI version that is not the
// one of the runtime. A name that cannot be generated is a diagnostic at its
// place in the sequence file.
//
// Go and C only write to an io.Writer. [WriteIfChanged] puts the bytes into a
// file, [Check] and [Diff] compare them with one, and [Depfile] tells make which
// files they came from.
package gen
