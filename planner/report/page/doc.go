// Package page writes the report of a plan as one HTML page: how its budgets stand and what
// changed since a baseline, an interactive map of the static pools, the curve of live bytes,
// and tables. The page is one file that needs no network. It carries the formulas of all
// sizes as JavaScript over BigInt, so that a slider for the batch size gives the exact
// numbers of the planner.
//
// All names and texts of a sequence file reach the page as JSON data, printable as in the
// other formats, and are shown as text; none becomes markup or code. A
// Content-Security-Policy allows the scripts and the style of the page itself, by their
// hashes, and nothing else.
//
// The script is in js and the style in css, one idea a file; parts.go has their order.
package page
