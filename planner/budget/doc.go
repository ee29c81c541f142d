// Package budget owns the check of a plan against the budgets of its sequence file: what
// each limit is for needs, what takes most of it, and the ways back under it.
//
// A budget counts at the largest values of the parameters. Sums of sizes are evaluated
// without packing, by the same analysis of expressions as the planner's; pools come from
// full plans. Every value that is suggested is tried: the budget holds there, and does not
// hold at the next larger value. So is an order of steps that would let buffers share bytes.
// The ways are told in the order of what they are likely to cost, see WayKind, and the work
// for all of them is limited by counts, so that it is the same on every machine.
package budget
