package play

import "fmt"

// Dynamic says who places the dynamic device buffers, and in which memory.
type Dynamic uint8

// The ways to place dynamic buffers.
const (
	Arena  Dynamic = iota // the device program, in the arena
	Stream                // the host, in a stream-ordered pool
	Block                 // the host, in a block pool
)

var dynamicNames = [...]string{Arena: "arena", Stream: "stream", Block: "block"}

// Dynamics returns all ways to place dynamic buffers.
func Dynamics() []Dynamic { return []Dynamic{Arena, Stream, Block} }

// String returns the word for the way.
func (d Dynamic) String() string {
	if int(d) < len(dynamicNames) {
		return dynamicNames[d]
	}
	return "unknown"
}

// MarshalText writes the word for the way.
func (d Dynamic) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText reads the word for a way.
func (d *Dynamic) UnmarshalText(text []byte) error {
	for i, name := range dynamicNames {
		if name == string(text) {
			*d = Dynamic(i)
			return nil
		}
	}
	return fmt.Errorf("%q is no way to place dynamic buffers: want arena, stream or block", text)
}

// check refuses options that only the arena has.
func (d Dynamic) check(o *Options) error {
	switch {
	case int(d) >= len(dynamicNames):
		return fmt.Errorf("unknown way %d to place dynamic buffers", d)
	case d == Arena:
	case o.Mode != Planned:
		return fmt.Errorf("the arena mode %s, but the dynamic buffers are placed by %s", o.Mode, d)
	case o.Fail > 0:
		return fmt.Errorf("failures can be injected in the arena, but the dynamic buffers are placed by %s", d)
	}
	return nil
}
