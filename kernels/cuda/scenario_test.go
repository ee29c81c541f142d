//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

var testCopy = sign("test_copy", 3)

// scenario uses every function of the driver and gives back what it has, whatever
// fails on the way.
func scenario(opts Options) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("scenario: %w", err)
		}
	}()
	finally := func(f func() error) { err = errors.Join(err, f()) }

	d, err := Open(1, opts)
	if err != nil {
		return err
	}
	defer finally(d.Close)
	if _, _, err := d.MemoryInfo(); err != nil {
		return err
	}
	from, err := d.Alloc(64)
	if err != nil {
		return err
	}
	defer finally(func() error { return d.Free(from) })
	to, err := d.Alloc(128)
	if err != nil {
		return err
	}
	defer finally(func() error { return d.Free(to) })
	pinned, err := d.AllocHost(64)
	if err != nil {
		return err
	}
	defer finally(pinned.Free)
	first, err := d.NewStream()
	if err != nil {
		return err
	}
	defer finally(first.Close)
	second, err := d.NewStream()
	if err != nil {
		return err
	}
	defer finally(second.Close)
	event, err := d.NewEvent()
	if err != nil {
		return err
	}
	defer finally(event.Close)
	if err := d.LoadModule(ptx(testCopy), testCopy); err != nil {
		return err
	}
	k, err := d.Kernel(testCopy.Name)
	if err != nil {
		return err
	}
	copy(pinned.Bytes(), "\x05\x00\x00\x00\x00\x00\x00\x00hello, device")
	got := make([]byte, 8)
	if err := errors.Join(
		first.CopyToDevice(from, pinned.Bytes()),
		first.Memset(to+8, '.', 8),
	); err != nil {
		return err
	}
	if err := first.CopyDevice(to+16, from+8, 5); err != nil {
		return err
	}
	if err := first.Record(event); err != nil {
		return err
	}
	if err := second.Wait(event); err != nil {
		return err
	}
	grid := kernels.Grid{Blocks: 2, Threads: 64}
	if err := second.Launch(k, grid, kernels.Args{uint64(to + 8), uint64(from + 8), uint64(from)}); err != nil {
		return err
	}
	if err := second.CopyToHost(got, to+8); err != nil {
		return err
	}
	if err := second.Synchronize(); err != nil {
		return err
	}
	if string(got) != "hello..." {
		return fmt.Errorf("the device has %q", got)
	}
	return errors.Join(replay(d, first, second, k, pinned.Bytes(), from, to))
}

// replay captures a copy whose size lies in device memory, and launches it twice.
func replay(d *Device, on, other kernels.Stream, k kernels.Kernel, pinned []byte, from, to kernels.Addr) (err error) {
	s := on.(*Stream)
	if err := s.BeginCapture(); err != nil {
		return err
	}
	err = s.Launch(k, kernels.Grid{Blocks: 1, Threads: 1}, kernels.Args{uint64(to), uint64(from + 8), uint64(from)})
	g, e := s.EndCapture()
	if err = errors.Join(err, e); err != nil {
		if g != nil {
			err = errors.Join(err, g.Close())
		}
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	want := bytes.Repeat([]byte{'-'}, 16)
	got := make([]byte, 16)
	for _, n := range []uint64{3, 11} {
		binary.LittleEndian.PutUint64(pinned, n)
		if err := s.Memset(to, '-', 16); err != nil {
			return err
		}
		if err := s.CopyToDevice(from, pinned[:8]); err != nil {
			return err
		}
		if err := g.Launch(s); err != nil {
			return err
		}
		if err := s.CopyToHost(got, to); err != nil {
			return err
		}
		if err := s.Synchronize(); err != nil {
			return err
		}
		copy(want, "hello, device"[:n])
		if !bytes.Equal(want, got) {
			return fmt.Errorf("the graph has left %q", got)
		}
	}
	// Pinned memory is freed under the eyes of a stream that another has waited for.
	late, err := d.AllocHost(32)
	if err != nil {
		return err
	}
	err = errors.Join(other.CopyToHost(late.Bytes(), from), late.Free())
	return errors.Join(err, other.Synchronize())
}

// golden is what the scenario calls.
func golden() []string {
	lines := []string{
		"cuInit 0", "cuDeviceGetCount", "cuDeviceGet 1", "cuDeviceGetName 256 1",
		"cuDeviceTotalMem_v2 1", "cuDriverGetVersion", "cuDeviceGetAttribute 75 1",
		"cuDeviceGetAttribute 76 1", "cuDeviceGetAttribute 16 1", "cuDeviceGetAttribute 1 1",
		"cuDevicePrimaryCtxRetain 1",
		fmt.Sprintf("cuModuleLoadDataEx %d", len(ptx(kernels.Builtins()...))),
	}
	for _, s := range kernels.Builtins() {
		lines = append(lines, "cuModuleGetFunction module1 "+s.Name)
	}
	return append(lines, strings.Split(strings.TrimSpace(fmt.Sprintf(`
cuMemGetInfo_v2
cuMemAlloc_v2 64
cuMemAlloc_v2 128
cuMemHostAlloc 64 1
cuStreamCreate 1
cuStreamCreate 1
cuEventCreate 2
cuModuleLoadDataEx %d
cuModuleGetFunction module2 test_copy
cuMemcpyHtoDAsync_v2 device1 pinned1 64 stream1
cuMemsetD8Async device2+8 46 8 stream1
cuMemcpyDtoDAsync_v2 device2+16 device1+8 5 stream1
cuEventRecord event1 stream1
cuStreamWaitEvent stream2 event1 0
cuLaunchKernel test_copy 2x1x1 64x1x1 0 stream2 device2+8 device1+8 device1
cuMemcpyDtoHAsync_v2 elsewhere device2+8 8 stream2
cuStreamSynchronize stream2
cuStreamBeginCapture_v2 stream1 2
cuLaunchKernel test_copy 1x1x1 1x1x1 0 stream1 device2 device1+8 device1
cuStreamEndCapture stream1
cuGraphInstantiateWithFlags graph1 0
cuGraphDestroy graph1
cuMemsetD8Async device2 45 16 stream1
cuMemcpyHtoDAsync_v2 device1 pinned1 8 stream1
cuGraphLaunch exec1 stream1
cuMemcpyDtoHAsync_v2 elsewhere device2 16 stream1
cuStreamSynchronize stream1
cuMemsetD8Async device2 45 16 stream1
cuMemcpyHtoDAsync_v2 device1 pinned1 8 stream1
cuGraphLaunch exec1 stream1
cuMemcpyDtoHAsync_v2 elsewhere device2 16 stream1
cuStreamSynchronize stream1
cuMemHostAlloc 32 1
cuMemcpyDtoHAsync_v2 pinned2 device1 32 stream2
cuStreamQuery stream2
cuStreamSynchronize stream2
cuMemFreeHost pinned2
cuGraphExecDestroy exec1
cuEventDestroy_v2 event1
cuStreamSynchronize stream2
cuStreamDestroy_v2 stream2
cuStreamSynchronize stream1
cuStreamDestroy_v2 stream1
cuMemFreeHost pinned1
cuMemFree_v2 device2
cuMemFree_v2 device1
cuModuleUnload module1
cuModuleUnload module2
cuDevicePrimaryCtxRelease_v2 1`, len(ptx(testCopy)))), "\n")...)
}

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

// destroys says whether a call gives something back.
func destroys(line string) bool {
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
