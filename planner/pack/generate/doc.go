// Package generate makes packing problems for tests and measurements: perfect
// packings, whose optimal height is known, and random families. Everything is a
// function of its arguments: the same seed gives the same problem on any machine.
//
//	p, err := generate.Pinwheel(301, generate.FineWidth, generate.FineHeight, 1)
//	if err != nil {
//		return err
//	}
//	r, err := pack.Engine{}.Pack(ctx, p.Problem)
//	// r.Height / p.Height says how far from the optimum the packer ended.
//
// A perfect packing is a rectangle of time and bytes that is cut into tiles. At
// every step the live bytes are exactly the height, so no byte is free in an
// optimal packing. Pinwheel never cuts straight through; Guillotine always does.
// On the fine grid two cuts rarely have the same place, and a packer can find
// which tiles belong together; on the coarse grid it cannot.
//
// A million buffers take about a second and memory linear in their number.
package generate
