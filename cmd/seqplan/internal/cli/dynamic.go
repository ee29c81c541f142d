package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/play"
)

// dynamics is a flag of ways to place dynamic buffers, each once: words with commas
// between them, or all.
type dynamics []play.Dynamic

func (d *dynamics) String() string {
	words := make([]string, len(*d))
	for i, way := range *d {
		words[i] = way.String()
	}
	return strings.Join(words, ",")
}

func (d *dynamics) Set(text string) error {
	if text == "all" {
		*d = play.Dynamics()
		return nil
	}
	*d = nil
	for word := range strings.SplitSeq(text, ",") {
		var way play.Dynamic
		if way.UnmarshalText([]byte(word)) != nil {
			return fmt.Errorf("want arena, stream or block, several of them with commas, or all; not %q", word)
		}
		if slices.Contains(*d, way) {
			return fmt.Errorf("%s is there twice", way)
		}
		*d = append(*d, way)
	}
	return nil
}
