// Package sweep makes many plans: one for each sequence file and each point of a grid of
// parameter values, on several cores, and on several machines by shards.
//
// What is to be done is a Work, which has an ID: a hash of all that the results depend on.
// Its rows have a fixed order, and the result of a row depends on nothing but the Work, so
// a run that was killed and went on, and shards that were merged, give the bytes of one
// run. Rows are kept in a part file as they are done, each line with its own checksum; a
// line that is torn or damaged is as if it was not there. A Cache keeps results across
// works.
//
// A point n_events = 100 is a plan for n_events up to 100, as the flag -param of the other
// commands means it; a parameter with one value gets the value.
package sweep
