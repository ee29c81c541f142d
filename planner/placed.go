package planner

import (
	"fmt"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
)

// checkPlaced warns where a device step reads a dynamic host buffer that has no
// memory yet: the host places it at the first wait after its step, at the latest
// at the end of the batch.
func checkPlaced(seq *sequences.Sequence, classes []classified, waits []Wait) sequences.Diagnostics {
	var diags sequences.Diagnostics
	wait := sequences.StepID(-1) // the last one so far
	next := 0
	for s := range seq.Steps {
		step := &seq.Steps[s]
		for ; next < len(waits) && int(waits[next].Step) <= s; next++ {
			wait = waits[next].Step
		}
		if step.Host {
			continue
		}
		for _, id := range step.Reads {
			b := &seq.Buffers[id]
			if b.Scope != sequences.Host || classes[id].class == Static || b.Step <= wait {
				continue
			}
			diags = append(diags, sequences.Diagnostic{
				Pos: step.Pos, Code: CodeNotPlaced, Severity: diag.Warning,
				Message: fmt.Sprintf("step %q reads %q, a dynamic host buffer, which has no memory before the host has waited for the device", step.Name, b.Name),
				Hint:    "let it read a device buffer; the host has its copy at the end of the batch",
			})
		}
	}
	return diags
}
