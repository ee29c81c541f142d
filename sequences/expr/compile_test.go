package expr

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
)

// countCode loads word i of the memory and checks it against a max.
func countCode(i int, most uint64) Code {
	return Code{Stack: 2, Words: []uint64{
		uint64(abi.OpConst), uint64(i),
		uint64(abi.OpLoad.With(8)), 0, 1 << 20,
		uint64(abi.OpConst), most,
		uint64(abi.OpCheckMax),
	}}
}

// expanding gives buffers by their index; b0 = max(c0, ...) and so on.
type expanding struct{ buffers []*Node }

func (e expanding) Param(ref int) (Code, error)    { return ParamCode(uint32(ref)), nil }
func (e expanding) Count(ref int) (Code, error)    { return countCode(ref, 100), nil }
func (e expanding) CountOf(ref int) (*Node, error) { return e.buffers[ref], nil }

func TestCompileWords(t *testing.T) {
	code, err := Compile(resolved("min(p1, 5, count_of(b0)) + p0"), expanding{[]*Node{resolved("p2 / 2")}})
	require.NoError(t, err)
	require.Equal(t, 3, code.Stack)
	var text []string
	for at := 0; at < len(code.Words); {
		op := abi.Op(code.Words[at])
		at += 1 + op.Immediates()
		text = append(text, strings.TrimSpace(fmt.Sprint(op, op.A(), code.Words[at-op.Immediates():at])))
	}
	require.Equal(t, []string{
		"param 1 []", "const 0 [5]", "min 0 []", "param 2 []", "const 0 [2]", "div 0 []",
		"min 0 []", "param 0 []", "add 0 []",
	}, text)
}

func TestCompileCounts(t *testing.T) {
	code, err := Compile(resolved("p0 + c1 * c0"), expanding{})
	require.NoError(t, err)
	require.Equal(t, 4, code.Stack, "p0, c1, and two to load c0")
	v, most, err := runCode(code.Words, []uint64{5}, []uint64{7, 100})
	require.NoError(t, err)
	require.Equal(t, uint64(705), v)
	require.Equal(t, 4, most)
	_, _, err = runCode(code.Words, []uint64{5}, []uint64{7, 101})
	require.ErrorIs(t, err, errCountOverMax)
}

// rightDeep needs a stack of levels + 1 values.
func rightDeep(levels int) *Node {
	n := lit(1)
	for range levels {
		n = op(Add, lit(1), n)
	}
	return n
}

func TestCompileLimits(t *testing.T) {
	code, err := Compile(rightDeep(abi.MaxStack-1), expanding{})
	require.NoError(t, err)
	require.Equal(t, abi.MaxStack, code.Stack)
	_, err = Compile(rightDeep(abi.MaxStack), expanding{})
	require.ErrorIs(t, err, ErrStack)
	_, err = Compile(op(Add, rightDeep(abi.MaxStack-2), lit(1)), expanding{})
	require.NoError(t, err)

	// The stack of a count comes on top of what lies there.
	deepCount := func(levels int) *Node {
		n := count(0)
		for range levels {
			n = op(Add, lit(1), n)
		}
		return n
	}
	_, err = Compile(deepCount(abi.MaxStack-2), expanding{})
	require.NoError(t, err)
	_, err = Compile(deepCount(abi.MaxStack-1), expanding{})
	require.ErrorIs(t, err, ErrStack)

	// A left-deep chain needs two values, and n literals make 3n-1 words.
	chain := func(literals int) *Node {
		n := lit(1)
		for range literals - 1 {
			n = op(Add, n, lit(1))
		}
		return n
	}
	most := (abi.MaxCodeSize + 1) / 3
	code, err = Compile(chain(most), expanding{})
	require.NoError(t, err)
	require.Equal(t, 2, code.Stack)
	_, err = Compile(chain(most+1), expanding{})
	require.ErrorIs(t, err, ErrCodeSize)
}

// The expansion of count_of may be exponential or, in a broken model, endless.
func TestCompileExpansionIsBounded(t *testing.T) {
	buffers := []*Node{lit(1)}
	for i := range 60 {
		buffers = append(buffers, op(Add, countOf(i), countOf(i)))
	}
	_, err := Compile(countOf(60), expanding{buffers})
	require.ErrorIs(t, err, ErrCodeSize)
	_, err = Compile(countOf(0), expanding{[]*Node{countOf(0)}})
	require.ErrorIs(t, err, ErrCodeSize)
	_, err = Compile(countOf(0), expanding{[]*Node{op(Add, countOf(0), lit(1))}})
	require.ErrorIs(t, err, ErrCodeSize)
}

func TestCompileErrors(t *testing.T) {
	for _, n := range []*Node{param(0), count(0), countOf(0)} {
		_, err := Compile(op(Add, lit(1), n), noLeaves{})
		var failed *CompileError
		require.ErrorAs(t, err, &failed)
		require.ErrorIs(t, err, errRefused)
		require.Same(t, n, failed.Node)
	}
	_, err := Compile(&Node{Kind: SumCounts}, noLeaves{})
	require.ErrorIs(t, err, ErrUnresolved)
	_, err = Compile(countOf(0), expanding{[]*Node{nil}})
	require.ErrorIs(t, err, ErrMalformed)
	_, err = Compile(param(0), empty{})
	require.ErrorIs(t, err, errBadCode)
}

// empty are leaves without code.
type empty struct{ expanding }

func (empty) Param(int) (Code, error) { return Code{}, nil }
