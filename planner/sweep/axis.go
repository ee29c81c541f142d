package sweep

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/sequences"
)

// MaxRows is the most rows that a Work may have.
const MaxRows = 1 << 20

// SizeError says that a grid has more rows than MaxRows.
type SizeError struct{ Rows *big.Int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("the grid has %s rows, and %d is the most; choose larger steps or fewer parameters", e.Rows, MaxRows)
}

// Range is the values from Min to Max in steps.
type Range struct {
	Param    string
	Min, Max uint64
	Step     uint64 // at least 1
}

var errRange = errors.New("want NAME=VALUE, NAME=MIN:MAX or NAME=MIN:MAX:STEP, with MIN not above MAX and STEP not 0, or several with commas")

// ParseRanges reads NAME=VALUE, NAME=MIN:MAX or NAME=MIN:MAX:STEP, of which several may be
// separated by commas.
func ParseRanges(text string) ([]Range, error) {
	name, values, ok := strings.Cut(text, "=")
	if !ok || name == "" || name != prose.Plain(name) {
		return nil, errRange
	}
	var out []Range
	for part := range strings.SplitSeq(values, ",") {
		r, err := parseRange(name, part)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func parseRange(name, text string) (Range, error) {
	words := strings.Split(text, ":")
	if len(words) > 3 {
		return Range{}, errRange
	}
	numbers := []uint64{0, 0, 1}
	for i, word := range words {
		n, err := sequences.ParseInteger(word)
		if err != nil {
			return Range{}, fmt.Errorf("%w: %w", errRange, err)
		}
		numbers[i] = n
	}
	r := Range{name, numbers[0], numbers[1], numbers[2]}
	if len(words) == 1 {
		r.Max = r.Min
	}
	if r.Min > r.Max || r.Step == 0 {
		return Range{}, errRange
	}
	return r, nil
}

// steps is how many values a range has, less one.
func (r Range) steps() uint64 { return (r.Max - r.Min) / r.Step }

// axis is the values of one parameter: ascending, each once.
type axis struct {
	param  string
	values []uint64
}

// makeAxes makes an axis of each parameter, in the order in which they first appear.
// Ranges of one parameter are united. Nothing is made that is larger than MaxRows.
func makeAxes(ranges []Range, files int) ([]axis, error) {
	var axes []axis
	var counts []*big.Int
	find := func(name string) int {
		return slices.IndexFunc(axes, func(a axis) bool { return a.param == name })
	}
	for _, r := range ranges {
		i := find(r.Param)
		if i < 0 {
			i = len(axes)
			axes, counts = append(axes, axis{param: r.Param}), append(counts, new(big.Int))
		}
		n := new(big.Int).SetUint64(r.steps())
		counts[i].Add(counts[i], n.Add(n, big.NewInt(1)))
	}
	if err := checkRows(counts, files); err != nil {
		return nil, err
	}
	for _, r := range ranges {
		a := &axes[find(r.Param)]
		for k := range r.steps() + 1 {
			a.values = append(a.values, r.Min+k*r.Step)
		}
	}
	for i := range axes {
		slices.Sort(axes[i].values)
		axes[i].values = slices.Compact(axes[i].values)
	}
	return axes, nil
}

// checkRows refuses a product above MaxRows. Values that two ranges share count twice.
func checkRows(counts []*big.Int, files int) error {
	rows := big.NewInt(int64(files))
	for _, n := range counts {
		rows.Mul(rows, n)
	}
	if rows.Cmp(big.NewInt(MaxRows)) > 0 {
		return &SizeError{rows}
	}
	return nil
}
