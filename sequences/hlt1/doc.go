// Package hlt1 holds the example sequences of a real trigger, for tests and tools
// that want them without a path: VELO tracking, and the whole reconstruction up
// to selection reports. README.md says where their facts come from and what in
// them is chosen.
package hlt1

import _ "embed"

// File names of the sequences, for messages.
const (
	VeloFile = "velo.yaml"
	RecoFile = "reco.yaml"
)

//go:embed velo.yaml
var velo string

//go:embed reco.yaml
var reco string

// Velo returns the text of velo.yaml.
func Velo() []byte { return []byte(velo) }

// Reco returns the text of reco.yaml.
func Reco() []byte { return []byte(reco) }
