// Package report turns a plan into what a person wants to know of it: which
// memory is static and which dynamic, what the pools cost, how good the packing
// is, where the peak is and who makes it, what is of no use, where the host
// waits. New computes a Report, a plain struct with a stable JSON form, which
// Text prints, with maps of characters, and Report.Markdown sums up. Explain
// does the same for one buffer.
//
// CSV, SVG, Trace and Dot write a plan for other programs: spreadsheets,
// pictures, the viewers of traces, Graphviz. Live has the bytes in use in each
// step, which all of them share. The page for a browser is package page.
//
// The plan has to be one that planner.Make or planner.ReadPlan returned: its ids and names
// fit together, and nothing here checks them again. Its texts are of any kind and length.
//
// Every figure is of one worker unless it says otherwise, and in bytes. A
// number that two formats have is the same in both, and a name is text in all
// of them, whatever it is. The same plan gives the same bytes on every machine.
package report
