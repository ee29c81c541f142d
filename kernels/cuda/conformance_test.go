//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// requireGPU is the environment variable that turns a missing GPU from a reason to skip
// into a failure. The script that tests on a GPU sets it.
const requireGPU = "SEQPLAN_REQUIRE_GPU"

// needGPU skips a test on a machine without a CUDA device, or fails it where requireGPU
// is set. A device that cannot be opened is no reason to skip.
func needGPU(t testing.TB) {
	t.Helper()
	n, err := Count(Options{})
	if err == nil && n > 0 {
		return
	}
	if os.Getenv(requireGPU) != "" {
		t.Fatalf("%s is set, and there is no CUDA device: %v", requireGPU, err)
	}
	if err == nil || errors.Is(err, kernels.ErrNotSupported) {
		t.Skipf("no CUDA device: %v", err)
	}
	t.Fatal(err)
}

// openGPU opens the first CUDA device, and closes it at the end of the test.
func openGPU(t testing.TB) *Device {
	t.Helper()
	needGPU(t)
	d, err := Open(0, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// pinned is host memory until the end of the test.
func pinned(t testing.TB, d *Device, size uint64) []byte {
	t.Helper()
	m, err := d.AllocHost(size)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Free()) })
	return m.Bytes()
}

// TestConformance runs the suite on the first CUDA device of this machine, if it has
// one, with the built-in PTX.
func TestConformance(t *testing.T) {
	needGPU(t)
	kernelstest.Run(t, func() kernels.Device {
		d, err := Open(0, Options{})
		require.NoError(t, err)
		return d
	})
}

// TestMissingGPU: without a device the suite is skipped, and fails where one is
// required; so does every test and benchmark that opens one.
func TestMissingGPU(t *testing.T) {
	for _, args := range [][]string{{"-test.run=^(TestConformance|TestGPU.*)$"}, {"-test.run=^$", "-test.bench=^BenchmarkGPU"}} {
		for _, required := range []bool{false, true} {
			cmd := exec.Command(os.Args[0], append(args, "-test.v")...)
			cmd.Env = append(os.Environ(), LibraryEnv+"=libseqplan-no-such-driver.so", requireGPU+"=")
			if required {
				cmd.Env = append(cmd.Env, requireGPU+"=1")
			}
			out, err := cmd.CombinedOutput()
			require.NotContains(t, string(out), "--- PASS")
			require.Equal(t, required, err != nil, "%s", out)
			if required {
				require.NotContains(t, string(out), "--- SKIP")
			}
		}
	}
}

var compileHostKernels = sync.OnceValue(func() error {
	host := filepath.Join(fakeDir, "hostkernels.obj")
	out, err := exec.Command("g++", "-c", "-x", "c++", "-std=c++17", "-fPIC", "-O2", "-Wall", "-Wextra", "-Werror",
		"-I../csrc", "-o", host, "testdata/hostkernels.cc").CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return linkFake("g++", "libfakehost.so", host)
})

// newHostFake is a fake driver that runs the kernels of the host port. It keeps no log.
func newHostFake(t testing.TB) *fake {
	t.Helper()
	newFake(t)
	tooltest.Need(t, "g++")
	require.NoError(t, compileHostKernels())
	f := loadFake(t, filepath.Join(fakeDir, "libfakehost.so"))
	f.call("fake_quiet")
	return f
}

// TestConformanceOnFake runs the suite on the fake driver with the kernels of the host
// port: what the back end does in Go is what the suite asks for.
func TestConformanceOnFake(t *testing.T) {
	f := newHostFake(t)
	kernelstest.Run(t, func() kernels.Device {
		f.call("fake_reset")
		f.call("fake_quiet")
		d, err := Open(0, f.opts())
		require.NoError(t, err)
		return closing{d, func() { f.clean(t) }}
	})
}

// closing is a device whose end is checked.
type closing struct {
	*Device
	after func()
}

func (c closing) Close() error {
	err := c.Device.Close()
	c.after()
	return err
}
