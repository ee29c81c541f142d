package csvfile

import "github.com/seqplan/seqplan/internal/diag"

// The diagnostics of the reader. A code keeps its meaning for ever; Codes lists
// them, Title says what they mean.
const (
	CodeSyntax        diag.Code = "SP0401"
	CodeNoHeader      diag.Code = "SP0402"
	CodeUnknownColumn diag.Code = "SP0403"
	CodeDoubleColumn  diag.Code = "SP0404"
	CodeMissingColumn diag.Code = "SP0405"
	CodeFields        diag.Code = "SP0406"
	CodeTooMany       diag.Code = "SP0407"

	CodeNumber      diag.Code = "SP0410"
	CodeNumberSize  diag.Code = "SP0411"
	CodeID          diag.Code = "SP0412"
	CodeDuplicateID diag.Code = "SP0413"
	CodeLifetime    diag.Code = "SP0414"
	CodeAlign       diag.Code = "SP0415"
	CodeUnaligned   diag.Code = "SP0416"
	CodeOverflow    diag.Code = "SP0417"

	CodeGap       diag.Code = "SP0420"
	CodeGapPlace  diag.Code = "SP0421"
	CodeGapOrder  diag.Code = "SP0422"
	CodeGapWindow diag.Code = "SP0423"
)

func titles() diag.Titles {
	return diag.Titles{
		CodeSyntax:        "a quote out of place",
		CodeNoHeader:      "the file has no header",
		CodeUnknownColumn: "an unknown column",
		CodeDoubleColumn:  "a column twice",
		CodeMissingColumn: "a required column is missing",
		CodeFields:        "a row has more or fewer fields than the header",
		CodeTooMany:       "too many faults to go on",
		CodeNumber:        "not an unsigned whole number",
		CodeNumberSize:    "a number above uint64",
		CodeID:            "an id that is empty or no text",
		CodeDuplicateID:   "an id twice",
		CodeLifetime:      "an empty lifetime",
		CodeAlign:         "an alignment that is not a power of two",
		CodeUnaligned:     "an offset or a hint that is not a multiple of the alignment",
		CodeOverflow:      "the end of a lifetime, of a gap or of a placed buffer leaves uint64",
		CodeGap:           "a malformed gap",
		CodeGapPlace:      "a gap that is empty or not inside the lifetime",
		CodeGapOrder:      "gaps that do not ascend or overlap",
		CodeGapWindow:     "a window that is empty or not inside the buffer",
	}
}

// Codes returns the diagnostics of the reader in order.
func Codes() []diag.Code { return titles().Codes() }

// Title says in a few words what a code of the reader means; "" if it is none.
func Title(code diag.Code) string { return titles()[code] }
