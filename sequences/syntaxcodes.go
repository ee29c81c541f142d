package sequences

import (
	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences/expr"
)

// The diagnostics of size expressions that do not parse, one for each kind of
// syntax error.
var syntaxCodes = map[expr.SyntaxKind]struct {
	code  diag.Code
	title string
}{
	expr.SyntaxEmpty:       {"SP0120", "an expression is empty"},
	expr.SyntaxChar:        {"SP0121", "a character that no expression has"},
	expr.SyntaxToken:       {"SP0122", "something in an expression that cannot stand there"},
	expr.SyntaxEnd:         {"SP0123", "an expression ends too early"},
	expr.SyntaxParen:       {"SP0124", "a parenthesis is never closed"},
	expr.SyntaxNumber:      {"SP0125", "a malformed number in an expression"},
	expr.SyntaxNumberRange: {"SP0126", "a number in an expression is too large"},
	expr.SyntaxUnit:        {"SP0127", "an unknown unit in an expression"},
	expr.SyntaxFunction:    {"SP0128", "an unknown function"},
	expr.SyntaxArgs:        {"SP0129", "a wrong number of arguments"},
	expr.SyntaxBitOperator: {"SP0130", "a bit operator"},
	expr.SyntaxNegative:    {"SP0131", "a negative number"},
	expr.SyntaxTrailing:    {"SP0132", "something follows an expression"},
	expr.SyntaxDeep:        {"SP0133", "an expression is nested too deeply"},
	expr.SyntaxLong:        {"SP0134", "an expression is too long"},
}
