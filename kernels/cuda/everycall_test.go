//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

func TestScenario(t *testing.T) {
	f := newFake(t)
	f.call("fake_devices", 2)
	require.NoError(t, scenario(f.opts()))
	require.Equal(t, golden(), f.since(0))
	f.clean(t)

	// It uses the whole of the library, so the next test tries all of it.
	used := map[string]bool{"cuGetErrorName": true}
	for _, line := range f.log() {
		call, _, _ := strings.Cut(line, " ")
		used[call] = true
	}
	for _, s := range new(library).symbols() {
		require.True(t, used[s.name], s.name)
	}
}

// destroys says whether a call gives something back. A call that puts that on a stream
// is like any other work: if it fails, nothing has happened.
func destroys(line string) bool {
	if strings.HasPrefix(line, "cuMemFreeAsync ") {
		return false
	}
	for _, part := range []string{"Free", "Destroy", "Unload", "Release"} {
		if strings.Contains(line, part) {
			return true
		}
	}
	return false
}

// Whichever call fails, before or after it has done its work: the error names it,
// nothing stays, and nothing is given back twice. What cannot be given back, because
// the very call to do so fails, goes with the context.
func TestEveryCallFails(t *testing.T) {
	f := newFake(t)
	f.call("fake_devices", 2)
	require.NoError(t, scenario(f.opts()))
	calls := f.log()
	require.Equal(t, len(calls), f.count("fake_calls"))
	for late := range uintptr(2) {
		for i, line := range calls {
			call, _, _ := strings.Cut(line, " ")
			code := int32(2)
			if i%2 == 1 {
				code = 719
			}
			f.call("fake_reset")
			f.call("fake_devices", 2)
			f.call("fake_fail", uintptr(i+1), uintptr(code), late)
			err := scenario(f.opts())
			what := fmt.Sprintf("call %d, %s, late %d: %v", i+1, line, late, err)
			var failed *Error
			require.ErrorAs(t, err, &failed, what)
			require.Equal(t, call, failed.Call, what)
			require.Equal(t, code, failed.Code, what)
			require.Equal(t, map[int32]string{2: "CUDA_ERROR_OUT_OF_MEMORY", 719: "CUDA_ERROR_LAUNCH_FAILED"}[code], failed.Name)
			require.Equal(t, code == 2, errors.Is(err, kernels.ErrOutOfMemory), what)
			require.Zero(t, f.count("fake_twice"), what)
			if call == "cuDevicePrimaryCtxRelease_v2" && late == 0 {
				require.Equal(t, 1, f.count("fake_live"), "the context, which cannot be given back otherwise")
				continue
			}
			require.Zero(t, f.count("fake_live"), what)
			hopeless := destroys(line) && late == 0 || call == "cuCtxSetCurrent" && destroys(calls[i+1])
			if !hopeless {
				require.Zero(t, f.count("fake_reclaimed"), what)
			}
		}
	}
}
