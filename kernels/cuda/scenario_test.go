//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

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
	if done, err := event.Query(); err != nil || done {
		return errors.Join(err, fmt.Errorf("the event is done: %t", done))
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
	if err := first.Record(event); err != nil {
		return err
	}
	if err := event.Synchronize(); err != nil {
		return err
	}
	if done, err := event.Query(); err != nil || !done {
		return errors.Join(err, fmt.Errorf("the event is done: %t", done))
	}
	if err := pooled(d, second, to); err != nil {
		return err
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

// pooled takes memory from a pool of the driver twice. The second address is the first
// one, as the stream is the same.
func pooled(d *Device, s kernels.Stream, to kernels.Addr) (err error) {
	p, err := d.NewPool(kernels.PoolProps{
		AllocType: kernels.PoolPinned, Location: kernels.PoolLocation{Type: kernels.PoolOnDevice, ID: 1}, MaxSize: 1 << 20,
	})
	if err != nil {
		return err
	}
	defer func() {
		// Memory that could not be freed keeps the pool; the device ends both.
		if e := p.Destroy(); !errors.Is(e, kernels.ErrInUse) {
			err = errors.Join(err, e)
		}
	}()
	for i, attr := range []kernels.PoolAttr{kernels.PoolReuseAllowOpportunistic, kernels.PoolReleaseThreshold} {
		if err := p.SetAttr(attr, uint64(i)<<40); err != nil {
			return err
		}
		if v, err := p.GetAttr(attr); err != nil || v != uint64(i)<<40 {
			return errors.Join(err, fmt.Errorf("%s is %d", attr, v))
		}
	}
	for range 2 {
		a, err := p.MallocAsync(48, s)
		if err != nil {
			return err
		}
		err = s.Memset(a, '+', 48)
		if err == nil {
			err = s.CopyDevice(to, a, 1)
		}
		if err := errors.Join(err, p.FreeAsync(a, s)); err != nil {
			return err
		}
	}
	return p.TrimTo(1 << 33)
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
cuEventQuery event1
cuStreamWaitEvent stream2 event1 0
cuLaunchKernel test_copy 2x1x1 64x1x1 0 stream2 device2+8 device1+8 device1
cuMemcpyDtoHAsync_v2 elsewhere device2+8 8 stream2
cuStreamSynchronize stream2
cuEventRecord event1 stream1
cuEventSynchronize event1
cuEventQuery event1
cuDeviceGetAttribute 115 1
cuMemPoolCreate 1 0 1 1 1048576
cuMemPoolSetAttribute pool1 2 0
cuMemPoolGetAttribute pool1 2
cuMemPoolSetAttribute pool1 4 1099511627776
cuMemPoolGetAttribute pool1 4
cuMemAllocFromPoolAsync 48 pool1 stream2
cuMemsetD8Async device3 43 48 stream2
cuMemcpyDtoDAsync_v2 device2 device3 1 stream2
cuMemFreeAsync device3 stream2
cuMemAllocFromPoolAsync 48 pool1 stream2
cuMemsetD8Async device3 43 48 stream2
cuMemcpyDtoDAsync_v2 device2 device3 1 stream2
cuMemFreeAsync device3 stream2
cuMemPoolTrimTo pool1 8589934592
cuMemPoolDestroy pool1
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
