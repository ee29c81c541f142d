package pack

// Subset is a problem with some of the buffers only.
func Subset(p Problem, buffers []int) Problem { return p.subset(buffers) }
