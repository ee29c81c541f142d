package diff

import "github.com/seqplan/seqplan/internal/diag"

// The diagnostics of comparisons. A code keeps its meaning for ever; docs/diff.md
// describes them.
const (
	CodeGrowth  diag.Code = "SP0260"
	CodeNeed    diag.Code = "SP0261"
	CodeUnknown diag.Code = "SP0262"
	CodePlan    diag.Code = "SP0263"
)

func titles() diag.Titles {
	return diag.Titles{
		CodeGrowth:  "the need of memory grew by more than a limit",
		CodeNeed:    "the plans need other memory",
		CodeUnknown: "warning: the growth of the dynamic buffers is not known",
		CodePlan:    "a plan that cannot be read",
	}
}

// Codes returns the diagnostics of comparisons in order.
func Codes() []diag.Code { return titles().Codes() }

// Title says in a few words what a code of comparisons means; "" if it is none.
func Title(code diag.Code) string { return titles()[code] }
