// Package expr owns size expressions: the integers, names, operators and
// functions that a sequence file gives as the number of elements of a buffer.
//
// One tree, Node, has four back ends that agree on every value and on whether
// an evaluation fails: Eval computes it, PrintGo and PrintC print it as source
// that calls checked arithmetic, Compile makes the postfix code of the device
// program. Analyze bounds it over ranges of its parameters and proves that no
// operation in it can fail there, or gives a point at which one does.
//
// Values are uint64 and arithmetic is exact: a value that leaves uint64, a
// negative difference and a division by zero are errors, never a wrapped
// number. Every argument of an operation is evaluated, from left to right; there
// are no short cuts, so that an operation which fails does so in every back end.
//
// The package knows nothing of sequences: parameters, counts and buffers are
// integers whose meaning belongs to the caller. No function panics on any tree,
// also not on one that no parser makes.
package expr
