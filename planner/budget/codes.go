package budget

import "github.com/seqplan/seqplan/internal/diag"

// The diagnostics of budgets. A code keeps its meaning for ever; docs/diagnostics-planner.md
// describes them.
const (
	CodeExceeded diag.Code = "SP0241"
	CodeCapacity diag.Code = "SP0242"
	CodeNoSize   diag.Code = "SP0243"
	CodeLimit    diag.Code = "SP0244"
	CodeIdle     diag.Code = "SP0245"
)

func titles() diag.Titles {
	return diag.Titles{
		CodeExceeded: "a budget is exceeded",
		CodeCapacity: "the static region of a scope is larger than its declared capacity",
		CodeNoSize:   "a buffer has no size by the basis of a budget",
		CodeLimit:    "a budget has no value at the largest parameters",
		CodeIdle:     "warning: a budget that can never be exceeded",
	}
}

// Codes returns the diagnostics of budgets in order.
func Codes() []diag.Code { return titles().Codes() }

// Title says in a few words what a code of budgets means; "" if it is none.
func Title(code diag.Code) string { return titles()[code] }
