package sequences

import "fmt"

// MarshalText writes the word of the scope.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the word of a scope.
func (s *Scope) UnmarshalText(text []byte) error {
	for _, scope := range []Scope{Device, Host} {
		if scope.String() == string(text) {
			*s = scope
			return nil
		}
	}
	return fmt.Errorf("%q is not a scope", text)
}

// MarshalText writes the word of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the word of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	for _, kind := range []Kind{Input, Write, Scratch} {
		if kind.String() == string(text) {
			*k = kind
			return nil
		}
	}
	return fmt.Errorf("%q is not a kind of buffer", text)
}
