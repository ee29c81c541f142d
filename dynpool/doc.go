// Package dynpool runs batches: it opens the pools of one worker, enqueues the
// device program step by step, and reads one status line back at the end. No size
// of a dynamic buffer goes to the host in between.
//
//	pool, err := dynpool.Open(dev, layout, dynpool.WithCapacity(1<<30))
//	batch, err := pool.Begin(stream, nEvents) // no wait
//	err = batch.Step(0)                       // the device places what step 0 writes
//	// launch the kernels of step 0 in the same stream
//	status, err := batch.End()                // the one wait
//
// A batch that does not fit the arena ends with an *ExhaustedError; Split runs it
// again in halves.
package dynpool
