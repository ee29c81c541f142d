package gen

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Depfile writes a make rule without a recipe that says that target depends on
// deps, in the given order, for an include in a makefile. It fails for a name
// that GNU make has no way to write: one with a line break, a tab, "=", ";" or "|".
func Depfile(w io.Writer, target string, deps []string) error {
	var b strings.Builder
	line, err := escapeMake(target, true)
	if err != nil {
		return err
	}
	b.WriteString(line + ":")
	for _, dep := range deps {
		escaped, err := escapeMake(dep, false)
		if err != nil {
			return err
		}
		b.WriteString(" \\\n  " + escaped)
	}
	b.WriteString("\n")
	_, err = io.WriteString(w, b.String())
	return err
}

// escapeMake quotes a file name as a target or a prerequisite of GNU make.
func escapeMake(name string, target bool) (string, error) {
	if name == "" {
		return "", errors.New("empty file name in a make rule")
	}
	if strings.ContainsAny(name, "\n\r\t\x00=|;") {
		return "", fmt.Errorf("file name %q cannot stand in a make rule", name)
	}
	special := ` #:*?[]`
	if target {
		special += "%" // a pattern in a target only
	}
	var b strings.Builder
	if name[0] == '~' {
		b.WriteString("./") // there is no quoting a home directory
	}
	slashes := 0 // backslashes right before this character
	for _, c := range []byte(name) {
		switch {
		case c == '$':
			b.WriteByte('$')
		case strings.IndexByte(special, c) >= 0:
			// Backslashes before a quoted character stand for half as many.
			b.WriteString(strings.Repeat(`\`, slashes+1))
		}
		b.WriteByte(c)
		if slashes++; c != '\\' {
			slashes = 0
		}
	}
	return b.String(), nil
}
