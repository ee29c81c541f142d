// Package disjunct packs items whose conflicts are arbitrary: for each pair, the
// differences of their offsets that are forbidden. Byte windows, fixed offsets and
// in-place groups all become such ranges, which no packer of rectangles can hold.
//
// Search is a branch and bound over the sides of pairs. Every item has a lower and
// an upper bound of its offset; every pair has bounds of its difference, between
// which lie the forbidden ranges that are still undecided. Bounds propagate to a
// fixpoint. If all items at their lower bounds conflict nowhere, they are a
// packing; else one of the ranges that they violate is decided, either way. Windows
// of which no two can overlap are cliques: each lies in what the others leave of the
// bytes between their bounds. The search starts again from time to time, with the
// pairs first that have failed most.
//
// It is made for some dozens of items. A node takes time for the pairs and cliques
// that it changes and a look at all other pairs; the memory is linear in pairs. So a
// budget is not in nodes but in Work, which counts all that a search does, whatever
// the shape of the problem.
//
// Precondition, which the caller checks: sizes, alignments, fixed offsets and the
// capacity are below Limit. Then no sum leaves int64.
package disjunct
