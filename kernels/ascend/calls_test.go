package ascend_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/ascend"
)

// scenario uses everything once, until something fails. With leave, it leaves it
// to Close to give things back.
func scenario(f *fake, leave bool) (err error) {
	d, err := ascend.Open(1, f.options)
	if err != nil {
		return err
	}
	defer func() {
		closed := d.Close()
		var e *ascend.Error
		if errors.As(closed, &e) && e.Call == "aclrtSetCurrentContext" {
			closed = errors.Join(closed, d.Close()) // as documented
		}
		err = errors.Join(err, closed)
	}()
	add := kernels.Signature{Name: "add", Args: []kernels.ArgKind{kernels.Address, kernels.Integer, kernels.Integer}}
	var (
		a, b          kernels.Addr
		host          kernels.HostMemory
		first, second kernels.Stream
		event         kernels.Event
		kernel        kernels.Kernel
		pool          kernels.Pool
		x, y          kernels.Addr
	)
	steps := []func() error{
		func() error { return d.LoadBinary(f.user, add) },
		func() (err error) { a, err = d.Alloc(100); return },
		func() (err error) { b, err = d.Alloc(200); return },
		func() (err error) { host, err = d.AllocHost(256); return },
		func() (err error) { first, err = d.NewStream(); return },
		func() (err error) { second, err = d.NewStream(); return },
		func() (err error) { event, err = d.NewEvent(); return },
		func() (err error) { kernel, err = d.Kernel("add"); return },
		func() error { return first.Memset(a, 7, 100) },
		func() error { return first.CopyToDevice(b, host.Bytes()[:100]) },
		func() error { return first.CopyDevice(b, a, 64) },
		func() error { return first.CopyDevice(b+3, a, 5) },
		func() error { return first.Record(event) },
		func() error { return second.Wait(event) },
		func() error {
			return second.Launch(kernel, kernels.Grid{Blocks: 2, Threads: 1}, kernels.Args{uint64(b), 3, 1})
		},
		func() error { return second.CopyToHost(host.Bytes()[64:80], b+64) },
		func() error { return second.CopyToHost(make([]byte, 8), b) },
		func() error { return second.CopyToDevice(a, make([]byte, 8)) },
		func() error { return second.Memset(a, 1, 1) },
		func() error { return first.Synchronize() },
		func() error { return first.Memset(b, 1, 1) },
		func() error { return first.Record(event) },
		func() error { _, err := event.Query(); return err },
		func() error { return event.Synchronize() },
		func() (err error) { pool, err = d.NewPool(poolProps(1)); return },
		func() error { return pool.SetAttr(kernels.PoolReuseAllowOpportunistic, 0) },
		func() error { return pool.SetAttr(kernels.PoolReleaseThreshold, 256) },
		func() (err error) { x, err = pool.MallocAsync(100, first); return },
		func() (err error) { y, err = pool.MallocAsync(200, second); return },
		func() error { return first.Memset(x, 1, 100) },
		func() error { return pool.FreeAsync(x, first) },
		func() error { return second.Memset(y, 1, 200) },
		func() error { return first.Synchronize() },
		func() error { return pool.TrimTo(0) },
	}
	if !leave {
		steps = append(steps,
			func() error { return pool.FreeAsync(y, second) },
			func() error { return pool.Destroy() },
			func() error { return first.Memset(b, 1, 1) },
			func() error { return d.Free(a) },
			func() error { return first.Memset(b, 2, 2) },
			func() error { return host.Free() },
			func() error { return event.Close() },
			func() error { return first.Synchronize() },
			func() error { return second.Close() },
			func() error { return first.Memset(b, 3, 3) },
			func() error { return first.Close() },
			func() error { return d.Free(b) },
		)
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// short leaves the prefix aclrt away, writes the calls that only make the context
// current as a dot, and counts repetitions.
func short(calls []string) string {
	var out []string
	for i := 0; i < len(calls); {
		n := 1
		for i+n < len(calls) && calls[i+n] == calls[i] {
			n++
		}
		name := strings.TrimPrefix(calls[i], "aclrt")
		if name == "SetCurrentContext" {
			name = "."
		}
		if n > 1 {
			name += fmt.Sprint(n)
		}
		out = append(out, name)
		i += n
	}
	return strings.Join(out, " ")
}

const (
	opened  = "aclInit GetDeviceCount SetDevice CreateContext GetMemInfo2 GetSocName BinaryLoadFromData BinaryGetFunction11"
	opening = opened +
		" . BinaryLoadFromData BinaryGetFunction . Malloc . Malloc . MallocHost . CreateStream . CreateStream . CreateEventExWithFlag" +
		" . MemsetAsync . MemcpyAsync . MemcpyAsync . SynchronizeStream . Memcpy . RecordEvent . StreamWaitEvent" +
		" . LaunchKernelWithHostArgs . MemcpyAsync . SynchronizeStream . Memcpy . Memcpy . MemsetAsync . SynchronizeStream . MemsetAsync" +
		" . RecordEvent . QueryEventStatus . SynchronizeEvent . MemPoolCreate . MemPoolSetAttr MemPoolGetAttr . MemPoolSetAttr" +
		" . MemPoolMallocAsync . MemPoolMallocAsync . MemsetAsync . MemPoolFreeAsync . MemsetAsync . SynchronizeStream" +
		" . MemPoolGetAttr2 MemPoolTrimTo"
	closing = " BinaryUnLoad2 DestroyContext ResetDevice aclFinalizeReference"
)

func TestCalls(t *testing.T) {
	f := newFake(t)
	require.NoError(t, scenario(f, false))
	require.Equal(t, opening+
		" . MemPoolFreeAsync . SynchronizeStream . MemPoolDestroy . MemsetAsync"+
		" . SynchronizeStream . Free"+
		" . MemsetAsync . SynchronizeStream . FreeHost"+
		" . DestroyEvent . SynchronizeStream . DestroyStream . MemsetAsync . SynchronizeStream DestroyStream . Free ."+
		closing, short(f.log()))
	f.clean()

	f.reset()
	err := scenario(f, true)
	require.EqualError(t, err, "device closed too early: {Allocs:3 HostAllocs:1 Streams:2 Events:1 Pools:1} still live")
	require.Equal(t, opening+
		" . DestroyStream SynchronizeStream DestroyStream DestroyEvent FreeHost Free2"+
		" CreateStream MemPoolFreeAsync SynchronizeStream DestroyStream MemPoolDestroy"+
		closing, short(f.log()))
	f.clean()
}

// Every call that fails is told, with the driver's words; whatever fails,
// everything is given back, and once.
func TestEveryCallFails(t *testing.T) {
	const code = 207005
	f := newFake(t)
	for _, leave := range []bool{false, true} {
		f.reset()
		_ = scenario(f, leave)
		all := f.log()
		require.Greater(t, len(all), 60)
		for k, call := range all {
			what := fmt.Sprintf("call %d, %s", k+1, call)
			f.reset()
			f.failAt(k+1, code)
			err := scenario(f, leave)
			f.clean(what)
			require.Equal(t, all[:k+1], f.log()[:k+1], what)
			var e *ascend.Error
			if call == "aclrtGetSocName" { // returns no code
				require.False(t, errors.As(err, &e), what)
				continue
			}
			require.ErrorAs(t, err, &e, what)
			require.Equal(t, &ascend.Error{
				Call: call, Code: code, Name: "RT_RESOURCE_ALLOC_FAIL", Message: "injected into " + call + "\nsecond line",
			}, e, what)
			require.Equal(t, call+": ACL_ERROR_RT_RESOURCE_ALLOC_FAIL (207005): injected into "+call, e.Error())
		}
	}
}
