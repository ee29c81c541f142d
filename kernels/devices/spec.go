package devices

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/kernels"
)

// ErrSpec marks a name that is malformed or names no back end: a mistake of the
// user, unlike a device that is not there.
var ErrSpec = errors.New("invalid device")

// narrowing is what may follow the name of a back end.
type narrowing uint8

const (
	nothing      narrowing = iota
	number                 // the number of a device
	numberOrText           // or a part of its name
)

// String is how the usage shows it.
func (n narrowing) String() string { return [...]string{"", "[:N]", "[:N|:NAME]"}[n] }

// accepts reports whether a text may follow the colon.
func (n narrowing) accepts(which string) bool {
	switch n {
	case number:
		_, err := strconv.ParseUint(which, 10, 31)
		return err == nil
	case numberOrText:
		return which != ""
	}
	return false
}

// backend is one back end.
type backend struct {
	name    string
	narrows narrowing
	open    func(which string) (kernels.Device, error) // which is what followed the colon, or empty
	list    func() []Found
}

// Names returns what Open knows, as a usage shows it: "host", "opencl[:N|:NAME]".
func Names() []string {
	var names []string
	for _, b := range backends() {
		names = append(names, b.name+b.narrows.String())
	}
	return names
}

// Carried reports whether this program carries the back ends other than host.
func Carried() bool { return carried }

// Check reports whether a name is malformed, as Open would, and opens nothing.
func Check(spec string) error {
	_, _, err := parse(spec)
	return err
}

// Open opens a device. A name that is none is ErrSpec, with those that are. A
// device, a driver or a library that is not there, or not part of this program, is
// kernels.ErrNotSupported, with the reason.
func Open(spec string) (kernels.Device, error) {
	b, which, err := parse(spec)
	if err != nil {
		return nil, err
	}
	return b.open(which)
}

func parse(spec string) (b backend, which string, err error) {
	name, which, narrowed := strings.Cut(spec, ":")
	for _, b := range backends() {
		if b.name == name && (!narrowed || b.narrows.accepts(which)) {
			return b, which, nil
		}
	}
	return backend{}, "", fmt.Errorf("%w %q: want %s", ErrSpec, spec, strings.Join(Names(), ", "))
}

// Found is a device of this machine, or why a back end has none.
type Found struct {
	Spec string // for Open
	Name string // as the driver reports it; empty if it could not be asked
	Err  error  // why it cannot be used; nil if it can
}

// List lists the devices of this machine, back end by back end. It starts the
// drivers, and opens a device for a moment where its driver tells the name only then.
func List() []Found {
	var all []Found
	for _, b := range backends() {
		all = append(all, b.list()...)
	}
	return all
}
