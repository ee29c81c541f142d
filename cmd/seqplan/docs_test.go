package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDocsNameTests: each test, benchmark, fuzz target and example that the docs name
// exists.
func TestDocsNameTests(t *testing.T) {
	var tests strings.Builder
	require.NoError(t, filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		tests.Write(text)
		return err
	}))
	docs, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	name := regexp.MustCompile("`(?:[a-z]+\\.)?((?:Test|Benchmark|Fuzz|Example)[A-Z]\\w*)`")
	found := 0
	for _, doc := range append(docs, "../../README.md") {
		text, err := os.ReadFile(doc)
		require.NoError(t, err)
		for _, m := range name.FindAllStringSubmatch(string(text), -1) {
			found++
			require.Contains(t, tests.String(), "func "+m[1]+"(", "%s names it", doc)
		}
	}
	require.Greater(t, found, 50)
}
