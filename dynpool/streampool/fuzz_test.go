package streampool_test

import (
	"testing"

	"github.com/seqplan/seqplan/internal/splitmix"
)

// byBytes draws a program of a string: each byte is one choice, and where it ends the
// program does.
func byBytes(text []byte) draws {
	return draws{
		pick: func(n int) int {
			if len(text) == 0 {
				return 0
			}
			b := text[0]
			text = text[1:]
			return int(b) % n
		},
		more: func() bool { return len(text) > 0 },
	}
}

// FuzzOperations plays programs that are strings, with the checks of TestModel.
func FuzzOperations(f *testing.F) {
	f.Add(byte(0), byte(0), []byte{})
	for seed := range uint64(60) {
		text := make([]byte, 10*(seed+1))
		for i := range text {
			text[i] = byte(splitmix.Hash(seed, uint64(i)))
		}
		f.Add(byte(seed%schedules), byte(seed), text)
	}
	f.Fuzz(func(t *testing.T, kind, order byte, text []byte) {
		play(t, byBytes(text[:min(len(text), 1000)]), schedule(int(kind%schedules), uint64(order)))
	})
}
