package sequences_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/sequences"
)

func TestParseInteger(t *testing.T) {
	for text, want := range map[string]uint64{"0": 0, "100": 100, "0x10": 16, "18446744073709551615": 1<<64 - 1} {
		v, err := sequences.ParseInteger(text)
		require.NoError(t, err, text)
		require.Equal(t, want, v, text)
	}
	for text, why := range map[string]string{
		"0100": "leading zeros", "-1": "negative", "1_000": "underscores", "1.5": "fraction", "": "no integer", "0b1": "no integer",
		"0o7": "no integer", "x": "no integer", "18446744073709551616": "above 18446744073709551615", "+5": "without a sign", " 1": "no integer",
	} {
		_, err := sequences.ParseInteger(text)
		require.ErrorContains(t, err, why, text)
	}
}
