package sequences

import _ "embed"

//go:embed starter.yaml
var starter string

// Starter is the text of a small commented sequence file to start from.
func Starter() []byte { return []byte(starter) }
