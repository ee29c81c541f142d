package dynpool_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// Two workers run 3,000 events in batches of 1,000. Three kilobytes an event do not
// fit the arena of two megabytes, so each batch is halved once. One batch more is
// made to fail by the fault plan.
func ExampleRunner() {
	sequence := kernelstest.Sequence{Params: []abi.Param{{Name: "n_events", Min: 1, Max: 1000}}}
	code := append(append(kernelstest.Param(0), kernelstest.Const(3<<10)...), kernelstest.Code(abi.OpMul)...)
	sequence.Steps = []kernelstest.Step{{Allocs: []kernelstest.Buffer{{Name: "hits", Code: code}}}}

	dev := host.New(host.Options{})
	runner, err := dynpool.OpenRunner(dev, sequence.Layout(), 2,
		dynpool.WithArena(2<<20),
		dynpool.WithFaults(dynpool.FaultPlan{Choose: func(at dynpool.FaultPoint) (abi.SlotID, bool) {
			return 0, at.First == 1500 && at.Count == 500
		}}))
	if err != nil {
		log.Fatal(err)
	}
	stats, err := runner.Run(context.Background(), 3000, 1000, func(w *dynpool.Worker, first, count uint64) error {
		batch, err := w.Pool().Begin(w.Stream(), count)
		if err != nil {
			return err
		}
		err = batch.Step(0) // and launch its kernels in w.Stream()
		_, endErr := batch.End()
		return errors.Join(err, endErr)
	})
	fmt.Println(stats.Events, "events,", stats.Splits, "splits,", len(stats.Unfit), "unfit,", err)

	sum := runner.Stats()
	fmt.Println(sum.Batches, "batches,", sum.Syncs, "waits,", sum.Failures.Exhausted, "failed,", sum.Injected, "on purpose")
	var text strings.Builder
	if err := sum.WriteOpenMetrics(&text, map[string]string{"sequence": "example"}); err != nil {
		log.Fatal(err)
	}
	for line := range strings.Lines(text.String()) {
		if strings.Contains(line, "seqplan_splits") {
			fmt.Fprint(os.Stdout, line)
		}
	}
	if err := errors.Join(runner.Close(), dev.Close()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 3000 events, 4 splits, 0 unfit, <nil>
	// 11 batches, 11 waits, 4 failed, 1 on purpose
	// # TYPE seqplan_splits counter
	// # HELP seqplan_splits Times that a range of events was halved.
	// seqplan_splits_total{sequence="example"} 4
}
