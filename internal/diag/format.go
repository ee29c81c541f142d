package diag

import (
	"errors"
	"fmt"
)

// Format is a way to print diagnostics.
type Format uint8

// The formats.
const (
	Text   Format = iota // for people, with source lines and carets
	JSON                 // one object, for programs
	GitHub               // workflow commands, which GitHub Actions shows at their lines
	SARIF                // one SARIF 2.1.0 log, for code scanning
)

var formats = [...]string{"text", "json", "github", "sarif"}

func (f Format) String() string {
	if int(f) < len(formats) {
		return formats[f]
	}
	return fmt.Sprintf("Format(%d)", uint8(f))
}

// MarshalText returns the name of the format.
func (f Format) MarshalText() ([]byte, error) {
	if int(f) >= len(formats) {
		return nil, fmt.Errorf("no format %d", uint8(f))
	}
	return []byte(formats[f]), nil
}

// UnmarshalText sets the format by its name.
func (f *Format) UnmarshalText(text []byte) error {
	for i, name := range formats {
		if name == string(text) {
			*f = Format(i)
			return nil
		}
	}
	return errors.New("want text, json, github or sarif")
}
