package planner

import "github.com/seqplan/seqplan/internal/diag"

// The diagnostics of the planner. A code keeps its meaning for ever; Codes lists
// them with their titles, docs/diagnostics.md describes them.
const (
	CodeOverflow       diag.Code = "SP0201"
	CodeNegative       diag.Code = "SP0202"
	CodeDivZero        diag.Code = "SP0203"
	CodeUnproven       diag.Code = "SP0204"
	CodeIndex          diag.Code = "SP0205"
	CodeIndexUnproven  diag.Code = "SP0206"
	CodeIndexUnchecked diag.Code = "SP0207"
	CodeElement        diag.Code = "SP0208"
	CodeTypical        diag.Code = "SP0209"
	CodeNoTypical      diag.Code = "SP0210"

	CodeInPlaceClass diag.Code = "SP0220"
	CodeInPlaceSize  diag.Code = "SP0221"
	CodeDynamicInput diag.Code = "SP0222"
	CodeNotPlaced    diag.Code = "SP0223"
	CodeShrinkGrows  diag.Code = "SP0224"
	CodeWindowEnd    diag.Code = "SP0225"
	CodeNoPacking    diag.Code = "SP0226"
	CodeDynamicOrder diag.Code = "SP0227"

	CodeProgramSize diag.Code = "SP0230"
	CodePoolSize    diag.Code = "SP0231"
	CodeArenaSize   diag.Code = "SP0232"
)

func titles() diag.Titles {
	return diag.Titles{
		CodeOverflow:       "a value leaves uint64 for some parameter values",
		CodeNegative:       "a result is negative for some parameter values",
		CodeDivZero:        "a division by zero for some parameter values",
		CodeUnproven:       "it is neither proved nor disproved that an expression always has a value",
		CodeIndex:          "a count lies outside its buffer for some parameter values",
		CodeIndexUnproven:  "it is neither proved nor disproved that a count lies inside its buffer",
		CodeIndexUnchecked: "warning: whether a count lies inside its dynamic buffer is checked on the device only",
		CodeElement:        "the max of a count does not fit its element type",
		CodeTypical:        "warning: the typical value of a count is above its max",
		CodeNoTypical:      "warning: a size has no value with every count typical",
		CodeInPlaceClass:   "a static and a dynamic buffer in one storage",
		CodeInPlaceSize:    "a dynamic buffer may be larger than the storage that it takes over",
		CodeDynamicInput:   "an input whose size depends on a count",
		CodeNotPlaced:      "warning: a device step reads a dynamic host buffer before the host has placed it",
		CodeShrinkGrows:    "a buffer may have more elements after a shrink than before",
		CodeWindowEnd:      "the window of a gap ends behind its buffer",
		CodeNoPacking:      "buffers with fixed offsets are in each other's way",
		CodeDynamicOrder:   "steps with dynamic buffers are not in order",
		CodeProgramSize:    "a size is too long a program for the device",
		CodePoolSize:       "the static buffers of a pool leave uint64",
		CodeArenaSize:      "the dynamic buffers together leave uint64",
	}
}

// Codes returns the diagnostics of the planner in order.
func Codes() []diag.Code { return titles().Codes() }

// Title says in a few words what a code of the planner means; "" if it is none.
func Title(code diag.Code) string { return titles()[code] }
