package diff_test

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/diff"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

// Amounts and changes are exact, also above 64 bits.
func TestAmounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sum := func(label string) (diff.Amount, *big.Int) {
			a, want := diff.NewAmount[uint64](0), new(big.Int)
			for _, n := range rapid.SliceOfN(rapid.Uint64(), 1, 5).Draw(t, label) {
				a = a.Plus(diff.NewAmount(n))
				want.Add(want, new(big.Int).SetUint64(n))
			}
			require.Equal(t, want.String(), a.String())
			return a, want
		}
		from, a := sum("old")
		to, b := sum("new")
		change := diff.Between(from, to)
		want := new(big.Int).Sub(b, a)
		require.Zero(t, want.Cmp(diff.Big(change)))
		require.Equal(t, want.Sign(), change.Sign())
		require.Equal(t, diff.Between(to, from).Size(), change.Size())
		text, err := json.Marshal(diff.NewFigure(from, to))
		require.NoError(t, err)
		require.JSONEq(t, `{"old":`+a.String()+`,"new":`+b.String()+`,"change":`+want.String()+`}`, string(text))
		var back diff.Figure
		require.NoError(t, json.Unmarshal(text, &back))
		require.Equal(t, diff.NewFigure(from, to), back)
	})
}

func TestUnknownAmount(t *testing.T) {
	var unknown diff.Amount
	f := diff.NewFigure(unknown, diff.NewAmount[uint64](5))
	require.True(t, f.Changed())
	require.False(t, f.Change.Known())
	require.Zero(t, f.Change.Sign())
	require.Equal(t, "unknown", f.Change.String())
	text, err := json.Marshal(f)
	require.NoError(t, err)
	require.Equal(t, `{"old":null,"new":5,"change":null}`, string(text))
	var back diff.Figure
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, f, back)
	require.False(t, diff.NewFigure(unknown, unknown).Changed())
	for _, bad := range []string{`-1`, `1.5`, `"1"`, `1e3`, `{}`, `340282366920938463463374607431768211456`, `99999999999999999999999999999999999999999999999`} {
		require.Error(t, json.Unmarshal([]byte(bad), &back.Old), bad)
	}
	require.Error(t, json.Unmarshal([]byte(`1.5`), &back.Change))
	require.Less(t, len(json.Unmarshal([]byte(strings.Repeat("9", 1000)), &back.Old).Error()), 100, "what is no number is not repeated whole")
	require.NoError(t, json.Unmarshal([]byte(`-340282366920938463463374607431768211455`), &back.Change))
	require.Equal(t, "-340282366920938463463374607431768211455", back.Change.String())
}

// Amounts read as in a report.
func TestAmountText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64().Draw(t, "n") >> rapid.IntRange(0, 63).Draw(t, "shift")
		require.Equal(t, report.Bytes(sequences.Bytes(n)), diff.NewAmount(n).Text())
	})
	for _, n := range []uint64{0, 1, 1023, 1024, 1048524, 1048525, 1048576, math.MaxUint64} {
		require.Equal(t, report.Bytes(sequences.Bytes(n)), diff.NewAmount(n).Text())
	}
}

func TestFigureText(t *testing.T) {
	most := diff.NewAmount[uint64](math.MaxUint64)
	for _, c := range []struct {
		from, to diff.Amount
		want     string
	}{
		{diff.NewAmount[uint64](0), diff.NewAmount[uint64](0), "0 B"},
		{diff.NewAmount[uint64](0), diff.NewAmount[uint64](5), "+5 B (new)"},
		{diff.NewAmount[uint64](0), diff.NewAmount[uint64](2048), "+2048 B (+2.0 KiB, new)"},
		{diff.NewAmount[uint64](2048), diff.NewAmount[uint64](0), "-2048 B (-2.0 KiB, -100.0 %)"},
		{diff.NewAmount[uint64](1000), diff.NewAmount[uint64](1021), "+21 B (+2.1 %)"},
		{diff.NewAmount[uint64](10000), diff.NewAmount[uint64](10005), "+5 B (+0.1 %)"},
		{diff.NewAmount[uint64](10001), diff.NewAmount[uint64](10006), "+5 B (+<0.1 %)"},
		{diff.NewAmount[uint64](10001), diff.NewAmount[uint64](9996), "-5 B (-<0.1 %)"},
		{diff.NewAmount[uint64](1), most, "+18446744073709551614 B (+16.0 EiB, +1844674407370955161400.0 %)"},
		{most, diff.NewAmount[uint64](0), "-18446744073709551615 B (-16.0 EiB, -100.0 %)"},
		{most, most.Plus(most), "+18446744073709551615 B (+16.0 EiB, +100.0 %)"},
		{diff.Amount{}, most, "unknown"},
	} {
		require.Equal(t, c.want, diff.NewFigure(c.from, c.to).Text())
	}
	require.Equal(t, "36893488147419103230 B (32.0 EiB)", most.Plus(most).Text())
}
