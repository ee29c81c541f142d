package streampool

import "github.com/seqplan/seqplan/kernels"

// Raw returns the stream of the device that a stream follows.
func (r *Runtime) Raw(s kernels.Stream) kernels.Stream { return s.(*stream).raw }
