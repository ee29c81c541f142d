package expr

import (
	_ "embed" // for the prelude
	"fmt"
)

//go:embed prelude.js
var jsPrelude string

// JSPrelude returns the JavaScript source of seqplanChecked, an object with the functions
// that printed JavaScript calls. Its values are BigInt. A function whose result is not a
// uint64 throws a RangeError with the text of the error that Eval ends with.
func JSPrelude() string { return jsPrelude }

// PrintJS prints an expression as a JavaScript expression over BigInt that calls the
// functions of JSPrelude. calc is the text of an object that has them. The leaves are
// BigInt. JavaScript evaluates arguments from left to right, as Eval does, so what is
// thrown is the first failure. The error is ErrMalformed or ErrUnresolved.
func PrintJS(n *Node, calc string, leaf LeafName) (string, error) {
	p := printer{
		leaf: leaf,
		lit:  func(v uint64) string { return fmt.Sprintf("%dn", v) },
		call: func(k Kind) string { return calc + "." + cFunctions[k] + "(" },
	}
	return p.text(n)
}
