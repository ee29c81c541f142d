package expr

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
)

func TestPrintJS(t *testing.T) {
	leaf := func(_ Kind, ref int, _ string) string { return fmt.Sprintf("p[%d]", ref) }
	for _, c := range []struct{ src, want string }{
		{"7", "7n"},
		{"p1", "p[1]"},
		{"p0 * 4 + 1", "c.add(c.mul(p[0], 4n), 1n)"},
		{"max(1, p0 % 3, 18446744073709551615)", "c.max(c.max(1n, c.mod(p[0], 3n)), 18446744073709551615n)"},
		{"ceil_div(p0 - 1, align_up(p0 / 3, 4))", "c.ceil_div(c.sub(p[0], 1n), c.align_up(c.div(p[0], 3n), 4n))"},
	} {
		got, err := PrintJS(resolved(c.src), "c", leaf)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	_, err := PrintJS(op(Add, lit(1), &Node{Kind: Name, Ident: "n"}), "c", leaf)
	require.ErrorIs(t, err, ErrUnresolved)
	_, err = PrintJS(op(Add, lit(1)), "c", leaf)
	require.ErrorIs(t, err, ErrMalformed)
}

// A browser evaluates random expressions as the reference does, and fails as it does.
func TestPrintedJS(t *testing.T) {
	browser := tooltest.Need(t, "chromium")
	d := newDifferential(t, 400)
	var src bytes.Buffer
	src.WriteString("<!doctype html><pre></pre><script>\n" + JSPrelude() + "const formulas = [\n")
	for _, n := range d.exprs {
		text, err := PrintJS(n, "seqplanChecked", leafText)
		require.NoError(t, err)
		fmt.Fprintf(&src, "(v) => %s,\n", text)
	}
	src.WriteString("];\nconst values = [\n")
	for _, v := range d.values {
		src.WriteString("[")
		for _, x := range v.flat() {
			fmt.Fprintf(&src, "%dn,", x)
		}
		src.WriteString("],\n")
	}
	src.WriteString(`];
const out = [];
for (const f of formulas) for (const v of values) {
  try { out.push(String(f(v))); } catch (e) { out.push(e instanceof RangeError ? e.message.replaceAll(" ", "_") : "?" + e); }
}
document.querySelector("pre").textContent = "\n" + out.join("\n") + "\n";
</script>`)
	dir := t.TempDir()
	file := filepath.Join(dir, "formulas.html")
	require.NoError(t, os.WriteFile(file, src.Bytes(), 0o600))
	cmd := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--dump-dom", "file://"+file)
	dom, err := cmd.Output()
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(dom), "<pre>")
	require.True(t, ok)
	results, _, _ := strings.Cut(rest, "</pre>")
	d.compare(t, []byte(html.UnescapeString(results)), false)
}
