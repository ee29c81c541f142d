// Package twin runs AscendC kernels without an NPU, for tests. It holds a header that
// stands in for CANN's kernel_operator.h, and a model of the one thing that makes such
// kernels hard: every core has a write-back data cache of 64-byte lines that is not
// coherent, see machine.h. It is compiled by g++.
//
// It shows that a source does the right thing under this model, and that it needs each
// of its cache operations. It does not show that CANN's compiler accepts the source:
// no such compiler was at hand.
package twin
