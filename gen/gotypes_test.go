package gen

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
)

// writeFiles writes files by their slash-separated path below dir.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
}

// userModule is a module with element types, good and bad.
var userModule = map[string]string{
	"go.mod": "module example.org/m\n\ngo 1.26\n",
	"hits/hits.go": `package hits

import "time"

type Hit struct { X, Y, Z float32 }
type Wide struct { ID uint64; Hit }
type Alias = Hit
type Number uint32
type hidden struct { A uint8 }
type Generic[T any] struct { V T }
type Int = Generic[int32]
type Params[T any] = Generic[T]
type Pointer struct { Next *Hit }
type Deep struct { A [2]struct{ Names []string } }
type Text string
type Func func()
type Stamp struct { When time.Month }
type Empty struct{}
var Value Hit
`,
	"broken/broken.go": `package broken

type Fine struct { A uint32 }
type Bad struct { A Missing }
var _ = [1]struct{}{}[1] // as when a guard fails
`,
	"cmd/tool/main.go": "package main\n\ntype T uint32\n\nfunc main() {}\n",
	"out/out.go":       "package out\n\ntype own struct{ A, B uint16 }\n",
	"empty/README":     "",
}

func TestGoTypes(t *testing.T) {
	module := t.TempDir()
	writeFiles(t, module, userModule)
	const m = "example.org/m/"
	at := func(line int) sequences.Pos { return sequences.Pos{File: "x.yaml", Line: line, Col: 3} }
	tests := []struct {
		go_         string
		size, align sequences.Bytes
		code        diag.Code // empty: it fits
		message     string
	}{
		{m + "hits.Hit", 12, 4, "", ""},
		{m + "hits.Wide", 24, 8, "", ""},
		{m + "hits.Alias", 12, 4, "", ""},
		{m + "hits.Number", 4, 4, "", ""},
		{m + "hits.Int", 4, 4, "", ""},
		{m + "hits.Stamp", 8, 8, "", ""},
		{m + "broken.Fine", 4, 4, "", ""},
		{m + "hits.Hit", 16, 16, CodeGoSize, "has 12 bytes in Go, but size is 16"},
		{m + "hits.Wide", 24, 16, "", ""}, // no Go type has this alignment
		{m + "hits.Hit", 16, 4, CodeGoSize, "has 12 bytes in Go, but size is 16"},
		{m + "hits.Hit", 12, 1, CodeGoAlign, "aligned to 4 bytes in Go, but align is 1"},
		{m + "hits.Wide", 24, 4, CodeGoAlign, "aligned to 8 bytes in Go, but align is 4"},
		{m + "hits.Empty", 1, 1, CodeGoSize, "has 0 bytes in Go, but size is 1"},
		{m + "hits.Missing", 1, 1, CodeGoType, "package example.org/m/hits has no type Missing"},
		{m + "hits.Value", 12, 4, CodeGoType, "has no type Value"},
		{m + "hits.hidden", 1, 1, CodeGoUnusable, "is not exported"},
		{m + "hits.Generic", 4, 4, CodeGoUnusable, "type parameters"},
		{m + "hits.Params", 4, 4, CodeGoUnusable, "type parameters"},
		{m + "hits.Pointer", 8, 8, CodeGoUnusable, "holds a Go pointer"},
		{m + "hits.Deep", 48, 8, CodeGoUnusable, "holds a Go pointer"},
		{m + "hits.Text", 16, 8, CodeGoUnusable, "holds a Go pointer"},
		{m + "hits.Func", 8, 8, CodeGoUnusable, "holds a Go pointer"},
		{m + "broken.Bad", 4, 4, CodeGoUnusable, "does not compile"},
		{m + "cmd/tool.T", 4, 4, CodeGoUnusable, "is a command"},
		{m + "nowhere.T", 4, 4, CodeGoPackage, "cannot load package example.org/m/nowhere"},
		{m + "empty.T", 4, 4, CodeGoPackage, "cannot load package example.org/m/empty"},
		{"example.net/other.T", 4, 4, CodeGoPackage, "cannot load package example.net/other"},
		{m + "out.own", 4, 2, "", ""}, // unexported, but of the output package
		{"time.Month", 8, 8, "", ""},
		{"unsafe.Pointer", 8, 8, CodeGoUnusable, "holds a Go pointer"},
		{"float32", 4, 4, CodeGoSyntax, "names no package"},
		{m + "hits.Generic[int]", 8, 8, CodeGoSyntax, "no name of a Go type"},
		{"./hits.Hit", 12, 4, CodeGoSyntax, "no import path"},
		{"-toolexec=x.T", 4, 4, CodeGoSyntax, "no import path"},
		{"file=x.go.T", 4, 4, CodeGoSyntax, "no import path"},
		{m + "....T", 4, 4, CodeGoSyntax, "no import path"},
		{".T", 4, 4, CodeGoSyntax, "no import path"},
		{m + "hits.", 4, 4, CodeGoSyntax, "no name of a Go type"},
	}
	var types []sequences.Type
	fits := 0
	for i, test := range tests {
		types = append(types, sequences.Type{Name: "t", Size: test.size, Align: test.align, Go: test.go_, Pos: at(i + 1)})
		if test.code == "" {
			fits++
		}
	}
	_, own, err := resolveGoTypes(filepath.Join(module, "out"), types)
	require.Equal(t, m+"out", own)
	found := err.(sequences.Diagnostics).Sorted()
	byLine := map[int][]sequences.Diagnostic{}
	for _, d := range found {
		byLine[d.Pos.Line] = append(byLine[d.Pos.Line], d)
	}
	for i, test := range tests {
		list := byLine[i+1]
		if test.code == "" {
			require.Empty(t, list, test.go_)
			continue
		}
		require.Len(t, list, 1, test.go_)
		require.Equal(t, test.code, list[0].Code, list[0].Message)
		require.Contains(t, list[0].Message, test.message)
	}
	require.Len(t, found, len(tests)-fits)
}

// Size and alignment may both be wrong: two messages.
func TestGoTypesBothWrong(t *testing.T) {
	module := t.TempDir()
	writeFiles(t, module, userModule)
	_, _, err := resolveGoTypes(module, []sequences.Type{
		{Name: "hit", Size: 8, Align: 8, Go: "example.org/m/hits.Hit", Pos: sequences.Pos{File: "x.yaml", Line: 7, Col: 3}},
	})
	require.Len(t, err, 2)
	require.Equal(t, `x.yaml:7:3: error[SP0308]: type hit: example.org/m/hits.Hit has 12 bytes in Go, but size is 8`,
		err.(sequences.Diagnostics).Sorted()[0].Error())
}

// Without a Go type nothing is loaded, so that no module is needed.
func TestGoTypesNone(t *testing.T) {
	list, own, err := resolveGoTypes(filepath.Join(t.TempDir(), "missing"), []sequences.Type{{Name: "hit", Size: 8, Align: 8}})
	require.NoError(t, err)
	require.Empty(t, list)
	require.Empty(t, own)
}
