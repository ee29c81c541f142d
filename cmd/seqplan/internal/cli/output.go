package cli

import (
	"os"
	"path/filepath"
)

// distinct refuses files of one command that are the same file, so that an output
// never replaces the sequence file or another output. Empty names are no files.
func distinct(paths ...string) error {
	for i, p := range paths {
		for _, q := range paths[:i] {
			if p != "" && q != "" && sameFile(p, q) {
				return usagef("%s and %s are one file, and nothing may replace what it is made from; choose another name", q, p)
			}
		}
	}
	return nil
}

func sameFile(p, q string) bool {
	a, errA := os.Stat(p)
	b, errB := os.Stat(q)
	if errA == nil && errB == nil {
		return os.SameFile(a, b)
	}
	return filepath.Clean(p) == filepath.Clean(q)
}
