// Package verify checks a layout against the sequence that it was planned for.
// It shares no code with the planner's passes or with package pack: it finds the
// uses of buffers by walking the sequence backwards, the order of steps by following
// each through the edges, the overlaps by a sweep over offsets, the sizes by
// evaluating the expressions at parameter values, and the step program by running it.
// So a mistake of the planner and the same mistake here are two mistakes.
//
// What it promises about a layout that passes: every static buffer is aligned,
// inside the static region of its scope, at its fixed offset if it has one, as large as
// its expression asks for at every parameter value tried, and disjoint from the reserved
// areas; two buffers share a byte only if all uses of the one are before all of the other,
// but for bytes that a gap or a shrink lends; the step program allocates each dynamic
// buffer at its step with the size of its expression, in order, and reads counts only from
// memory that holds them then; every host step that needs a wait has one.
package verify
