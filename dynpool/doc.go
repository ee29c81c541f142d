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
// again in halves. A Runner does that with several workers at once, each with its
// own pools and stream, so that it needs the memory of one worker times their
// number:
//
//	runner, err := dynpool.OpenRunner(dev, layout, 4, dynpool.WithCapacity(1<<30))
//	stats, err := runner.Run(ctx, events, 1000, func(w *dynpool.Worker, first, count uint64) error {
//		batch, err := w.Pool().Begin(w.Stream(), count)
//		// as above
//	})
//	err = runner.Close()
//
// No event is lost or runs twice. WithFaults tests that: it makes batches fail by a
// plan that is the same in every run. Stats says what happened, as a struct, for
// expvar (Var) and as OpenMetrics text.
//
// Kernels that allocate by themselves have Mark and Release, and AllocList places a
// long list of buffers at once.
package dynpool
