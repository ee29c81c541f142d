package expr

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels/checked"
)

// differential is a batch of expressions with values of their leaves and what
// the reference makes of them.
type differential struct {
	exprs  []*Node
	values []values   // each expression is evaluated with each
	want   [][]result // by expression and values
}

// result is a value, or the name of the failure.
type result struct {
	value uint64
	fail  string
}

func (r result) String() string {
	if r.fail != "" {
		return r.fail
	}
	return strconv.FormatUint(r.value, 10)
}

func failName(err error) string {
	for _, sentinel := range []error{checked.ErrOverflow, checked.ErrNegative, checked.ErrDivZero} {
		if errors.Is(err, sentinel) {
			return strings.ReplaceAll(sentinel.Error(), " ", "_")
		}
	}
	return err.Error()
}

func newDifferential(t *testing.T, exprs int) differential {
	rng := rand.New(rand.NewPCG(1, 2))
	world := randomWorld{params: 3, counts: 2, buffers: 2, large: true}
	var d differential
	for range 12 {
		d.values = append(d.values, randomValues(rng.IntN))
	}
	for len(d.exprs) < exprs {
		n := world.expr(rng.IntN, 2+len(d.exprs)%4)
		var want []result
		for _, v := range d.values {
			r, err := refEval(n, v)
			if err != nil {
				want = append(want, result{fail: failName(err)})
			} else {
				want = append(want, result{value: r.Uint64()})
			}
		}
		d.exprs, d.want = append(d.exprs, n), append(d.want, want)
	}
	fails := map[string]int{}
	for _, want := range d.want {
		for _, r := range want {
			fails[r.fail]++
		}
	}
	require.Len(t, fails, 4, "the batch has every kind of failure, and values")
	return d
}

// flat are the values of all leaves in one array: parameters, counts, buffers.
func (v values) flat() []uint64 {
	return append(append(append([]uint64{}, v.params...), v.counts...), v.buffers...)
}

// leafText is the leaf in the array v of flat values.
func leafText(kind Kind, ref int, _ string) string {
	return fmt.Sprintf("v[%d]", map[Kind]int{Param: 0, Count: 3, CountOf: 5}[kind]+ref)
}

// compare checks the output of a program: a line "value" or "failure" for each
// expression and values. With oneCode all failures look the same.
func (d differential) compare(t *testing.T, out []byte, oneCode bool) {
	lines := strings.Fields(string(out))
	require.Len(t, lines, len(d.exprs)*len(d.values))
	for i, n := range d.exprs {
		for j, v := range d.values {
			want := d.want[i][j]
			if oneCode && want.fail != "" {
				want.fail = "3" // abi.BadArithmetic
			}
			require.Equal(t, want.String(), lines[i*len(d.values)+j], "%v with %v", n, v)
		}
	}
}

func TestPrintedC(t *testing.T) {
	d := newDifferential(t, 400)
	var src bytes.Buffer
	src.WriteString(CPrelude() + CPrelude() + "#include <inttypes.h>\n#include <stdio.h>\n")
	src.WriteString("typedef uint64_t formula(const uint64_t *v, int *err);\n")
	for i, n := range d.exprs {
		text, err := PrintC(n, "err", leafText)
		require.NoError(t, err)
		fmt.Fprintf(&src, "static uint64_t f%d(const uint64_t *v, int *err) { (void)v; (void)err; return %s; }\n", i, text)
	}
	src.WriteString("static formula *const formulas[] = {")
	for i := range d.exprs {
		fmt.Fprintf(&src, "f%d,", i)
	}
	src.WriteString("};\nstatic const uint64_t values[][7] = {")
	for _, v := range d.values {
		src.WriteString("{")
		for _, x := range v.flat() {
			fmt.Fprintf(&src, "UINT64_C(%d),", x)
		}
		src.WriteString("},")
	}
	src.WriteString(`};
int main(void)
{
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            int err = 0;
            uint64_t r = formulas[i](values[j], &err);
            if (err != 0)
                printf("%d\n", err);
            else
                printf("%" PRIu64 "\n", r);
            if (err != 0 && r != 0)
                return 1;
        }
    return 0;
}
`)
	for _, c := range []struct{ compiler, std, lang string }{{"gcc", "c11", "c"}, {"g++", "c++17", "c++"}} {
		t.Run(c.compiler, func(t *testing.T) {
			path := tooltest.Need(t, c.compiler)
			dir := t.TempDir()
			file, bin := filepath.Join(dir, "formulas.c"), filepath.Join(dir, "formulas")
			require.NoError(t, os.WriteFile(file, src.Bytes(), 0o600))
			// The sanitizer traps on undefined behaviour; it needs no library.
			run(t, dir, path, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-std="+c.std,
				"-fsanitize=undefined", "-fsanitize-undefined-trap-on-error", "-x", c.lang, "-o", bin, file)
			d.compare(t, run(t, dir, bin), true)
		})
	}
}

func TestPrintedGo(t *testing.T) {
	d := newDifferential(t, 400)
	var src bytes.Buffer
	src.WriteString("package main\n\nimport (\n\t\"fmt\"\n\t\"strings\"\n\n\t\"github.com/seqplan/seqplan/kernels/checked\"\n)\n\n")
	src.WriteString("var formulas = []func(c *checked.Calc, v [7]uint64) uint64{\n")
	for _, n := range d.exprs {
		text, err := PrintGo(n, "c", leafText)
		require.NoError(t, err)
		fmt.Fprintf(&src, "\tfunc(c *checked.Calc, v [7]uint64) uint64 { x := %s; return x },\n", text)
	}
	src.WriteString("}\n\nvar values = [][7]uint64{\n")
	for _, v := range d.values {
		fmt.Fprintf(&src, "\t%s,\n", strings.TrimPrefix(fmt.Sprintf("%#v", v.flat()), "[]uint64"))
	}
	src.WriteString(`}

func main() {
	for _, f := range formulas {
		for _, v := range values {
			var c checked.Calc
			r := f(&c, v)
			if err := c.Err(); err != nil {
				fmt.Println(strings.ReplaceAll(err.Error(), " ", "_"))
			} else {
				fmt.Println(r)
			}
		}
	}
}
`)
	_, here, _, ok := runtime.Caller(0)
	require.True(t, ok)
	root := filepath.Join(filepath.Dir(here), "..", "..")
	dir := t.TempDir()
	mod := "module formulas\n\ngo 1.26\n\nrequire github.com/seqplan/seqplan v0.0.0\n\nreplace github.com/seqplan/seqplan => " + strconv.Quote(root) + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), src.Bytes(), 0o600))
	d.compare(t, run(t, dir, "go", "run", "-mod=mod", "."), false)
}

// run runs a command and returns its standard output.
func run(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=", "GOPROXY=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, "%s", stderr.String())
	return out
}

// linked gives Compile the flat values of a differential: count i is word i of
// the memory, checked against its max, and a buffer is inlined.
type linked struct{ values }

func (l linked) Param(ref int) (Code, error) {
	if ref == 1 { // a property
		return ConstCode(l.params[1]), nil
	}
	return ParamCode(uint32(ref)), nil
}

func (l linked) Count(ref int) (Code, error) { return countCode(ref, huge), nil }

func (l linked) CountOf(ref int) (*Node, error) { return lit(l.buffers[ref]), nil }

func TestCompiled(t *testing.T) {
	d := newDifferential(t, 2000)
	for i, n := range d.exprs {
		for j, v := range d.values {
			code, err := Compile(n, linked{v})
			require.NoError(t, err, "%v", n)
			got, most, err := runCode(code.Words, v.params, v.counts)
			require.LessOrEqual(t, most, code.Stack)
			if want := d.want[i][j]; want.fail != "" {
				require.Error(t, err, "%v with %v", n, v)
				require.Equal(t, want.fail, failName(err), "%v with %v", n, v)
			} else {
				require.NoError(t, err, "%v with %v", n, v)
				require.Equal(t, want.value, got, "%v with %v", n, v)
				require.Equal(t, most, code.Stack, "the stack that is announced is needed")
			}
		}
	}
}
