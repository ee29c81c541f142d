package kernels_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

func TestPoolAttr(t *testing.T) {
	for a := range kernels.PoolAttr(11) {
		exists := a >= 1 && a <= 8
		require.Equal(t, exists, a.Check() == nil, "%s", a)
		require.Equal(t, a >= 1 && a <= 3, a.Switch(), "%s", a)
		for _, value := range []uint64{0, 1, 2, math.MaxUint64} {
			ok := a >= 1 && a <= 3 && value <= 1 || a == 4 || (a == 6 || a == 8) && value == 0
			err := a.CheckSet(value)
			require.Equal(t, ok, err == nil, "%s = %d", a, value)
			if !ok {
				require.ErrorIs(t, err, kernels.ErrPoolAttr)
				require.ErrorContains(t, err, a.String())
			}
		}
	}
	require.Equal(t, "used_mem_high", kernels.PoolUsedHigh.String())
	require.Equal(t, "attribute 9", kernels.PoolAttr(9).String())
}

func TestPoolProps(t *testing.T) {
	good := kernels.PoolProps{AllocType: kernels.PoolPinned, Location: kernels.PoolLocation{Type: kernels.PoolOnDevice, ID: 2}}
	require.NoError(t, good.Check(2))
	for text, spoil := range map[string]func(*kernels.PoolProps){
		"allocation type 0, not 1": func(p *kernels.PoolProps) { p.AllocType = 0 },
		"handle type 4, not 0":     func(p *kernels.PoolProps) { p.HandleType = 4 },
		"location type 0, not 1":   func(p *kernels.PoolProps) { p.Location.Type = kernels.PoolHost },
		"location id -1, not 2":    func(p *kernels.PoolProps) { p.Location.ID = -1 },
	} {
		bad := good
		spoil(&bad)
		err := bad.Check(2)
		require.ErrorIs(t, err, kernels.ErrPoolProps)
		require.ErrorContains(t, err, text)
	}
}
