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

// Codes returns the diagnostics of the generators in order.
func Codes() []diag.Code {
	return []diag.Code{
		CodeNameTaken, CodeNameReserved, CodeNoName, CodeGoSyntax, CodeGoPackage, CodeGoType, CodeGoUnusable,
		CodeGoSize, CodeGoAlign, CodeCSyntax,
	}
}

// Title says in a few words what a code of the generators means; "" if it is none.
func Title(code diag.Code) string {
	switch code {
	case CodeNameTaken:
		return "two names become the same generated name"
	case CodeNameReserved:
		return "a name becomes one that every generated file has"
	case CodeNoName:
		return "a name has no form in the language"
	case CodeGoSyntax:
		return "not the name of a Go type"
	case CodeGoPackage:
		return "the package of a Go type cannot be loaded"
	case CodeGoType:
		return "the package has no such Go type"
	case CodeGoUnusable:
		return "a Go type cannot be the element of a buffer"
	case CodeGoSize:
		return "the Go type has another size"
	case CodeGoAlign:
		return "the Go type has another alignment"
	case CodeCSyntax:
		return "a C type or header cannot be printed"
	}
	return ""
}
