package expr

import "github.com/seqplan/seqplan/internal/diag"

// Limits of what Parse accepts.
const (
	MaxDepth  = 200      // nesting of parentheses and calls, and height of the tree
	MaxLength = 64 << 10 // bytes of source
)

// SyntaxKind tells syntax errors apart, so that each can have its own
// diagnostic code.
type SyntaxKind uint8

// The kinds of syntax errors.
const (
	SyntaxEmpty       SyntaxKind = iota // nothing but white space
	SyntaxChar                          // a character that no expression has
	SyntaxToken                         // a token that cannot stand here
	SyntaxEnd                           // the expression ends where an operand is missing
	SyntaxParen                         // a parenthesis is never closed
	SyntaxNumber                        // malformed number: "0x", "1.5", "007"
	SyntaxNumberRange                   // a number above the largest uint64
	SyntaxUnit                          // unknown unit: "KB", "12 XB"
	SyntaxFunction                      // unknown function
	SyntaxArgs                          // wrong number of arguments
	SyntaxBitOperator                   // << >> & | ^ ~
	SyntaxNegative                      // a minus sign without a left operand
	SyntaxTrailing                      // something follows the complete expression
	SyntaxDeep                          // nested deeper than MaxDepth
	SyntaxLong                          // longer than MaxLength
	numSyntaxKinds
)

var syntaxNames = [numSyntaxKinds]string{
	"empty expression", "unexpected character", "unexpected token", "unexpected end",
	"unclosed parenthesis", "malformed number", "number too large", "unknown unit",
	"unknown function", "wrong number of arguments", "bit operator", "negative number",
	"trailing input", "too deep", "too long",
}

func (k SyntaxKind) String() string {
	if k < numSyntaxKinds {
		return syntaxNames[k]
	}
	return "unknown"
}

// SyntaxError is why Parse refuses an expression.
type SyntaxError struct {
	Pos  diag.Pos
	Kind SyntaxKind
	Msg  string
	Hint string // what to do about it; may be empty
}

func (e *SyntaxError) Error() string { return e.Pos.String() + ": " + e.Msg }
