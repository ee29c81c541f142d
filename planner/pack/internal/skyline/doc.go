// Package skyline packs large plain problems by passes that place each rectangle
// once: on the lowest run of sections with equal floors, the rectangle with the
// best priority that fits there. A critical pass also asks that it covers the
// section of the run with the least room. No priority is best everywhere, so a
// portfolio of them runs, several at a time; the result is that of the first of the
// best, on any number of cores.
package skyline
