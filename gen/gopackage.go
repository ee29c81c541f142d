package gen

import (
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
)

// PackageOf returns the name of the package that the Go files of a directory
// belong to: that of the first one, in order of their names, that is no test, is
// built on this platform (a program behind "go:build ignore" is not), and has a
// package clause. It is "" if there is none.
func PackageOf(dir string) string {
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return ""
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || !e.Type().IsRegular() {
			continue
		}
		if built, err := build.Default.MatchFile(dir, name); err != nil || !built {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.PackageClauseOnly)
		if err == nil && f.Name != nil {
			return f.Name.Name
		}
	}
	return ""
}
