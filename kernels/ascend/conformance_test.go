package ascend_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/ascend"
	"github.com/seqplan/seqplan/kernels/ascendc"
	"github.com/seqplan/seqplan/kernels/ascendc/twin"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// The back end behind the fake library, with the AscendC kernels on the twin of the
// caches: as near to a device as it gets without one.
func TestConformance(t *testing.T) {
	f := newFake(t)
	binary, err := twin.New(t).Library(twin.Write(t, ascendc.Files()))
	require.NoError(t, err)
	f.options.Binary = []byte(binary)
	for _, unaligned := range []bool{false, true} {
		f.options.UnalignedAsync = unaligned
		t.Run(fmt.Sprintf("unaligned=%t", unaligned), func(t *testing.T) {
			f.t = t
			f.reset()
			if unaligned {
				f.allowUnaligned()
			}
			kernelstest.Run(t, func() kernels.Device {
				d, err := ascend.Open(0, f.options)
				require.NoError(t, err)
				return d
			})
			if !t.Failed() { // else something may be left
				f.clean()
			}
		})
	}
}
