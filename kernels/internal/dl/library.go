package dl

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/seqplan/seqplan/kernels"
)

// Library is a loaded shared library. It is safe for concurrent use.
type Library struct {
	name   string
	handle uintptr
	frames sync.Pool // of *[12]uintptr, for calls that allocate nothing
}

// Name is the name under which the library was found.
func (l *Library) Name() string { return l.name }

// Names says where to look for a library: under the name a caller has given, else
// under the value of an environment variable, else under its usual names. A name
// that somebody chose is the only one tried.
func Names(chosen, env string, usual ...string) []string {
	if chosen != "" {
		return []string{chosen}
	}
	if name := os.Getenv(env); name != "" {
		return []string{name}
	}
	return usual
}

// Open loads the first of the libraries that can be loaded. A name without a slash
// is looked for where the system keeps libraries. If there is none the error is
// ErrNotSupported and tells, for each name, what the loader said.
func Open(names ...string) (*Library, error) {
	var tried []error
	for _, name := range names {
		if name == "" || strings.ContainsRune(name, 0) {
			tried = append(tried, fmt.Errorf("%q is no name of a library", name))
			continue
		}
		handle, err := open(name)
		if err == nil {
			return &Library{name: name, handle: handle}, nil
		}
		tried = append(tried, err)
	}
	return nil, fmt.Errorf("%w: no library of %q: %w", kernels.ErrNotSupported, names, errors.Join(tried...))
}

// Func finds a function. A library that lacks it is ErrNotSupported.
func (l *Library) Func(symbol string) (Func, error) {
	if f := l.Optional(symbol); f.Valid() {
		return f, nil
	}
	return Func{}, fmt.Errorf("%w: library %s has no function %s", kernels.ErrNotSupported, l.name, symbol)
}

// Optional finds a function that some versions of the library lack. It is then not
// valid.
func (l *Library) Optional(symbol string) Func {
	if symbol == "" || strings.ContainsRune(symbol, 0) {
		return Func{}
	}
	return Func{l, lookup(l.handle, symbol)}
}

// Func is a C function. The zero value is none, and must not be called.
type Func struct {
	lib  *Library
	addr uintptr
}

// Valid reports whether there is a function.
func (f Func) Valid() bool { return f.addr != 0 }
