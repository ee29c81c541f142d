package trace

import "fmt"

// Allocator is what a trace can be replayed against. The ids are those of the trace.
type Allocator interface {
	Alloc(stream, id int, size uint64) error
	Free(stream, id int, size uint64) error
	Work(stream int) error
	Sync(stream int) error
}

// Replay calls an allocator. It stops at the first error.
func (t *Trace) Replay(a Allocator) error {
	for i := range t.Ops {
		var err error
		switch o := &t.Ops[i]; o.Kind {
		case Alloc:
			err = a.Alloc(o.Stream, o.ID, o.Size)
		case Free:
			err = a.Free(o.Stream, o.ID, o.Size)
		case Work:
			err = a.Work(o.Stream)
		case Sync:
			err = a.Sync(o.Stream)
		}
		if err != nil {
			return fmt.Errorf("operation %d: %w", i, err)
		}
	}
	return nil
}
