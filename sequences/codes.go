package sequences

import (
	"slices"

	"github.com/seqplan/seqplan/internal/diag"
)

// The diagnostics of the reader. A code keeps its meaning for ever; Codes lists
// them with their titles, docs/diagnostics.md describes them. SP0024 was given to
// keys that the format did not have yet.
const (
	CodeRead      diag.Code = "SP0001"
	CodeTooLarge  diag.Code = "SP0002"
	CodeText      diag.Code = "SP0003"
	CodeSyntax    diag.Code = "SP0004"
	CodeDocuments diag.Code = "SP0005"
	CodeEmpty     diag.Code = "SP0006"
	CodeRoot      diag.Code = "SP0007"
	CodeValues    diag.Code = "SP0008"
	CodeDepth     diag.Code = "SP0009"
	CodeMergeKey  diag.Code = "SP0010"
	CodeTag       diag.Code = "SP0011"
	CodeKeyKind   diag.Code = "SP0012"
	CodeAliasLoop diag.Code = "SP0013"
	CodeDocument  diag.Code = "SP0014"

	CodeUnknownKey   diag.Code = "SP0020"
	CodeDuplicateKey diag.Code = "SP0021"
	CodeMissingKey   diag.Code = "SP0022"
	CodeWrongKind    diag.Code = "SP0023"
	CodeVersion      diag.Code = "SP0025"
	CodeExclusive    diag.Code = "SP0026"
	CodeEmptyList    diag.Code = "SP0027"
	CodeWord         diag.Code = "SP0028"

	CodeInteger     diag.Code = "SP0030"
	CodeIntegerSize diag.Code = "SP0031"
	CodeUnit        diag.Code = "SP0032"
	CodeUnitHere    diag.Code = "SP0033"
	CodeAlign       diag.Code = "SP0034"
	CodeTypeSize    diag.Code = "SP0035"
	CodeRange       diag.Code = "SP0036"
	CodeCType       diag.Code = "SP0037"
	CodeGoType      diag.Code = "SP0038"
	CodeInclude     diag.Code = "SP0039"

	CodeBadName       diag.Code = "SP0040"
	CodeDuplicateName diag.Code = "SP0041"
	CodeFunctionName  diag.Code = "SP0042"
	CodeBuiltin       diag.Code = "SP0043"
	CodeBatchTwice    diag.Code = "SP0044"
	CodeTooMany       diag.Code = "SP0045"

	CodeUnknownTemplate diag.Code = "SP0050"
	CodeMissingArg      diag.Code = "SP0051"
	CodeUnknownArg      diag.Code = "SP0052"
	CodeUndeclaredArg   diag.Code = "SP0053"
	CodeArgKind         diag.Code = "SP0054"
	CodePlaceholder     diag.Code = "SP0055"
	CodeUnusedArg       diag.Code = "SP0056"
	CodeUnusedTemplate  diag.Code = "SP0057"
	CodeNestedTemplate  diag.Code = "SP0058"

	CodeUnknownType    diag.Code = "SP0060"
	CodeUnknownBuffer  diag.Code = "SP0061"
	CodeUnknownName    diag.Code = "SP0062"
	CodeUnknownGroup   diag.Code = "SP0063"
	CodeBufferAsNumber diag.Code = "SP0064"
	CodeNotBuffer      diag.Code = "SP0065"
	CodeNotGroup       diag.Code = "SP0066"
	CodeCountAt        diag.Code = "SP0067"
	CodeCountHost      diag.Code = "SP0068"
	CodeCountType      diag.Code = "SP0069"
	CodeCountScratch   diag.Code = "SP0070"
	CodeCountStatic    diag.Code = "SP0071"
	CodeDuplicateEntry diag.Code = "SP0072"
	CodeUnusedCount    diag.Code = "SP0073"
	CodeUnknownStep    diag.Code = "SP0074"

	CodeReadBeforeWrite diag.Code = "SP0080"
	CodeScratchOutside  diag.Code = "SP0081"
	CodeReadsOwn        diag.Code = "SP0082"
	CodeCountOrder      diag.Code = "SP0083"
	CodeSizeOrder       diag.Code = "SP0084"
	CodeSizeCycle       diag.Code = "SP0085"
	CodeGroupCycle      diag.Code = "SP0086"
	CodeViewOrder       diag.Code = "SP0087"
	CodeViewCycle       diag.Code = "SP0088"
	CodeIdleStep        diag.Code = "SP0089"

	CodeInPlaceRead  diag.Code = "SP0090"
	CodeInPlaceUse   diag.Code = "SP0091"
	CodeInPlaceScope diag.Code = "SP0092"
	CodeInPlaceTwice diag.Code = "SP0093"
	CodeInPlaceKept  diag.Code = "SP0094"
	CodeInPlaceInput diag.Code = "SP0095"

	CodeKeepDynamic     diag.Code = "SP0100"
	CodeKeepScratch     diag.Code = "SP0101"
	CodeOptionalScratch diag.Code = "SP0102"
	CodeOutputScratch   diag.Code = "SP0103"
	CodeGroupScratch    diag.Code = "SP0104"
	CodeOptionalOutput  diag.Code = "SP0105"

	CodeStreamHost     diag.Code = "SP0106"
	CodeAfterOrder     diag.Code = "SP0107"
	CodeAfterRedundant diag.Code = "SP0108"
	CodeRace           diag.Code = "SP0109"

	CodePlaceAlign   diag.Code = "SP0110"
	CodePlaceInPlace diag.Code = "SP0111"
	CodePlaceDynamic diag.Code = "SP0112"
	CodeLoanKept     diag.Code = "SP0113"
	CodeLoanStep     diag.Code = "SP0114"
	CodeLoanUse      diag.Code = "SP0115"
	CodeLoanOrder    diag.Code = "SP0116"
	CodeWindow       diag.Code = "SP0117"
	CodeShrinkStatic diag.Code = "SP0118"

	CodeNoStep       diag.Code = "SP0138"
	CodeBudgetStatic diag.Code = "SP0139"

	CodeExprSize     diag.Code = "SP0140"
	CodeDivBeforeMul diag.Code = "SP0141"
)

var titles = map[diag.Code]string{
	CodeRead:      "the file cannot be read",
	CodeTooLarge:  "the file is too large",
	CodeText:      "the file is not UTF-8 text",
	CodeSyntax:    "YAML or JSON syntax",
	CodeDocuments: "more than one document",
	CodeEmpty:     "the file is empty",
	CodeRoot:      "the file is not a map",
	CodeValues:    "too many values after the expansion of aliases, templates and groups",
	CodeDepth:     "values are nested too deeply",
	CodeMergeKey:  "a YAML merge key",
	CodeTag:       "a YAML tag",
	CodeKeyKind:   "a key is not a string",
	CodeAliasLoop: "an alias inside the value that it names",
	CodeDocument:  "a file that seqplan wrote, which is no sequence file",

	CodeUnknownKey:   "an unknown key",
	CodeDuplicateKey: "a key twice in one map",
	CodeMissingKey:   "a required key is missing",
	CodeWrongKind:    "a value of the wrong kind",
	CodeVersion:      "a format version that this reader does not know",
	CodeExclusive:    "keys that exclude each other",
	CodeEmptyList:    "a list that must not be empty",
	CodeWord:         "not one of the words that may stand here",

	CodeInteger:     "not a whole number",
	CodeIntegerSize: "a number out of range",
	CodeUnit:        "an unknown unit",
	CodeUnitHere:    "a unit of bytes where no bytes are meant",
	CodeAlign:       "a bad alignment",
	CodeTypeSize:    "a size that is not a multiple of the alignment",
	CodeRange:       "min is larger than max",
	CodeCType:       "not the name of a C type",
	CodeGoType:      "not the name of a Go type",
	CodeInclude:     "not the name of a header",

	CodeBadName:       "a bad name",
	CodeDuplicateName: "a name twice in one name space",
	CodeFunctionName:  "the name of a function",
	CodeBuiltin:       "the name of a built-in type",
	CodeBatchTwice:    "two parameters are the batch size",
	CodeTooMany:       "too many parameters, counts or streams",

	CodeUnknownTemplate: "an unknown template",
	CodeMissingArg:      "an argument of a template is missing",
	CodeUnknownArg:      "an argument that the template does not have",
	CodeUndeclaredArg:   "a placeholder for an argument that is not declared",
	CodeArgKind:         "an argument is a list or a map",
	CodePlaceholder:     "a malformed placeholder",
	CodeUnusedArg:       "warning: an argument that the pattern does not use",
	CodeUnusedTemplate:  "warning: a template that no step uses",
	CodeNestedTemplate:  "a template inside a template",

	CodeUnknownType:    "an unknown element type",
	CodeUnknownBuffer:  "an unknown buffer",
	CodeUnknownName:    "an unknown parameter or count",
	CodeUnknownGroup:   "an unknown group",
	CodeBufferAsNumber: "a buffer or a group where a number must stand",
	CodeNotBuffer:      "the argument of count_of or size_of is not a buffer",
	CodeNotGroup:       "the argument of sum_counts or members is not a group",
	CodeCountAt:        "at is not buffer[index]",
	CodeCountHost:      "a count in host memory",
	CodeCountType:      "a count in a buffer that does not hold unsigned integers",
	CodeCountScratch:   "a count in scratch",
	CodeCountStatic:    "an expression of a count that uses more than parameters",
	CodeDuplicateEntry: "an entry twice in a list",
	CodeUnusedCount:    "warning: a count that no size uses",
	CodeUnknownStep:    "an unknown step",

	CodeReadBeforeWrite: "a step reads what a later step writes",
	CodeScratchOutside:  "scratch is used outside its step",
	CodeReadsOwn:        "a step reads what it writes",
	CodeCountOrder:      "a count is used before it is written",
	CodeSizeOrder:       "a size refers to a buffer of a later step",
	CodeSizeCycle:       "sizes depend on each other",
	CodeGroupCycle:      "the size of a group's member depends on the group",
	CodeViewOrder:       "a view of a buffer of a later step",
	CodeViewCycle:       "buffers view each other",
	CodeIdleStep:        "warning: a step that does nothing",

	CodeInPlaceRead:  "in_place_of a buffer that the step does not read",
	CodeInPlaceUse:   "in_place_of a buffer that is used later",
	CodeInPlaceScope: "in_place_of a buffer of the other scope",
	CodeInPlaceTwice: "two buffers in place of one",
	CodeInPlaceKept:  "in_place_of an output or a persistent buffer",
	CodeInPlaceInput: "an input in place of a buffer",

	CodeKeepDynamic:     "a persistent buffer whose size depends on a count",
	CodeKeepScratch:     "scratch that is persistent",
	CodeOptionalScratch: "scratch that is optional",
	CodeOutputScratch:   "scratch that is an output",
	CodeGroupScratch:    "scratch that is a member of a group",
	CodeOptionalOutput:  "an output that is optional",

	CodeStreamHost:     "a host step on a stream",
	CodeAfterOrder:     "a step after itself or after a later one",
	CodeAfterRedundant: "warning: an edge between steps that are in order without it",
	CodeRace:           "steps of different streams use a buffer in no order",

	CodePlaceAlign:   "an offset or a hint that is not aligned",
	CodePlaceInPlace: "a place or loan of a buffer that shares storage",
	CodePlaceDynamic: "a place or loan of a buffer whose size depends on a count",
	CodeLoanKept:     "a gap or shrink of scratch or of a persistent buffer",
	CodeLoanStep:     "a gap or shrink at a step that does not use the buffer",
	CodeLoanUse:      "a step uses bytes that are lent",
	CodeLoanOrder:    "gaps or shrinks that are not in order",
	CodeWindow:       "a window that is not [low, high]",
	CodeShrinkStatic: "the count of a shrink uses more than parameters",

	CodeNoStep:       "a budget of steps that do not exist",
	CodeBudgetStatic: "a budget that uses more than parameters",

	CodeExprSize:     "an expression that is too large when it is written out",
	CodeDivBeforeMul: "warning: a division before a multiplication",
}

// Codes returns the diagnostics of the reader in order.
func Codes() []diag.Code {
	codes := diag.Titles(titles).Codes()
	for _, s := range syntaxCodes {
		codes = append(codes, s.code)
	}
	slices.Sort(codes)
	return codes
}

// Title says in a few words what a code of the reader means; "" if it is none.
func Title(code diag.Code) string {
	for _, s := range syntaxCodes {
		if s.code == code {
			return s.title
		}
	}
	return titles[code]
}

func newError(pos Pos, code diag.Code, hint, message string) Diagnostic {
	return Diagnostic{Pos: pos, Code: code, Severity: diag.Error, Hint: hint, Message: message}
}
