// Package streams holds an example sequence with several streams, for tests and tools
// that want it without a path. README.md shows what the reuse policies make of it.
package streams

import (
	_ "embed"
	"strings"

	"github.com/seqplan/seqplan/sequences"
)

// TriggerFile is the file name of the sequence, for messages.
const TriggerFile = "trigger.yaml"

//go:embed trigger.yaml
var trigger string

// Trigger returns the text of trigger.yaml.
func Trigger() []byte { return []byte(trigger) }

// Policies returns the reuse policies that differ where there are several streams.
func Policies() []sequences.Reuse {
	return []sequences.Reuse{sequences.ReuseStream, sequences.ReuseEvent, sequences.ReuseInternal}
}

// With returns the text of trigger.yaml with another reuse policy of the device.
func With(policy sequences.Reuse) []byte {
	return []byte(strings.Replace(trigger, "reuse: event}", "reuse: "+policy.String()+"}", 1))
}
