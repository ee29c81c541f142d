package gen

import "github.com/seqplan/seqplan/internal/diag"

// The diagnostics of the generators. A code keeps its meaning for ever; Codes
// lists them, Title says what they mean, docs/diagnostics-gen.md describes them.
const (
	CodeNameTaken    diag.Code = "SP0301"
	CodeNameReserved diag.Code = "SP0302"
	CodeNoName       diag.Code = "SP0303"
	CodeGoSyntax     diag.Code = "SP0304"
	CodeGoPackage    diag.Code = "SP0305"
	CodeGoType       diag.Code = "SP0306"
	CodeGoUnusable   diag.Code = "SP0307"
	CodeGoSize       diag.Code = "SP0308"
	CodeGoAlign      diag.Code = "SP0309"
	CodeCSyntax      diag.Code = "SP0310"
)

func titles() diag.Titles {
	return diag.Titles{
		CodeNameTaken:    "two names become the same generated name",
		CodeNameReserved: "a name becomes one that every generated file has",
		CodeNoName:       "a name has no form in the language",
		CodeGoSyntax:     "not the name of a Go type",
		CodeGoPackage:    "the package of a Go type cannot be loaded",
		CodeGoType:       "the package has no such Go type",
		CodeGoUnusable:   "a Go type cannot be the element of a buffer",
		CodeGoSize:       "the Go type has another size",
		CodeGoAlign:      "the Go type has another alignment",
		CodeCSyntax:      "a C type or header cannot be printed",
	}
}

// Codes returns the diagnostics of the generators in order.
func Codes() []diag.Code { return titles().Codes() }

// Title says in a few words what a code of the generators means; "" if it is none.
func Title(code diag.Code) string { return titles()[code] }
