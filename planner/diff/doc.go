// Package diff compares two plans: what grew, shrank, appeared or disappeared, which
// buffers moved from static to dynamic, and what that does to the pools and the arena.
// New computes a Diff, a plain struct with a stable JSON form; Text and Markdown print
// it, and Over says which needs of memory grew by more than a limit.
//
// Buffers and steps are the same if their names are, or if they were renamed for certain,
// so a step that was added in front of another moves no lifetime. Every figure is of one
// worker and in bytes unless it says otherwise; sums and differences are exact, also where
// they leave 64 bits.
package diff
