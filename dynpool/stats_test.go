package dynpool_test

import (
	"encoding/json"
	"expvar"
	"reflect"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
)

var _ expvar.Var = dynpool.Var(nil)

// TestStats counts one batch of each kind.
func TestStats(t *testing.T) {
	r := newRig(t, small(), dynpool.WithArena(4096))
	opened := r.pool.Stats()
	require.Equal(t, dynpool.Stats{
		Pools: 1, Capacity: 4096, DeviceBytes: r.pool.Layout().Device.Size + 4096,
		HostBytes: 128 + 64 + 4*16, // the status area: two lines, a line of parameters, slots
	}, opened)
	for _, counts := range [][]uint32{{10, 30}, {800, 4000}, {1001, 20}, {1, 19}, {100, 30}} {
		_, _, _ = r.batch(7, counts...)
	}
	b, err := r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	require.NoError(t, r.stream.Memset(0, 0, 1)) // no address
	_, err = b.End()
	require.ErrorIs(t, err, kernels.ErrBadAddress)
	l := r.pool.Layout()
	require.NoError(t, r.stream.Memset(r.pool.Base()+kernels.Addr(l.ProgramOffset), 0xFF, 8))
	_, _, err = r.batch(1, 10, 30)
	require.ErrorIs(t, err, dynpool.ErrProgram)
	want := opened
	want.Batches, want.Syncs = 7, 7
	want.Failures = dynpool.Failures{Exhausted: 1, Count: 1, Arithmetic: 1, Program: 1, Other: 1}
	want.HighWater = 3328     // 800 hits of 4 bytes, rounded
	want.Demand = 3328 + 1024 // and 800 flags, which do not fit
	want.HostHighWater = 256  // 70 bytes of names, rounded
	want.HostBytes += 1 << 16 // the first piece
	require.Equal(t, want, r.pool.Stats())
	require.EqualValues(t, 5, want.Failures.Total())

	// What is no batch is not counted, but waits are.
	_, err = r.pool.Begin(r.stream, 0, 0)
	require.Error(t, err)
	require.Equal(t, want, r.pool.Stats())
	_, err = r.pool.Begin(&failingStream{Stream: r.stream, fail: 2}, 1, 2)
	require.ErrorIs(t, err, errBroken)
	want.Syncs++
	require.Equal(t, want, r.pool.Stats())
	r.close()
}

// TestStatsOfWaits: a batch counts once, also if it failed at a wait, and each wait
// counts.
func TestStatsOfWaits(t *testing.T) {
	s := small()
	s.Steps[2].Wait = true
	r := newRig(t, s, dynpool.WithArena(256))
	b, err := r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	r.leave(100, 20)
	require.NoError(t, b.Step(1))
	require.ErrorIs(t, b.Step(2), dynpool.ErrExhausted)
	require.Zero(t, r.pool.Stats().Batches, "it has not ended")
	_, err = b.End()
	require.ErrorIs(t, err, dynpool.ErrExhausted)
	stats := r.pool.Stats()
	require.EqualValues(t, 1, stats.Batches)
	require.EqualValues(t, 2, stats.Syncs)
	require.Equal(t, dynpool.Failures{Exhausted: 1}, stats.Failures)

	// The stream fails at the wait, and has nothing more to say at the end.
	b, err = r.pool.Begin(r.stream, 1, 2)
	require.NoError(t, err)
	require.NoError(t, b.Step(0))
	require.NoError(t, b.Step(1))
	require.NoError(t, r.stream.Memset(0, 0, 1))
	require.ErrorIs(t, b.Step(2), kernels.ErrBadAddress)
	_, _ = b.End()
	require.Equal(t, dynpool.Failures{Exhausted: 1, Other: 1}, r.pool.Stats().Failures)
	r.close()
}

// TestStatsAdd: every number of two pools is in the sum.
func TestStatsAdd(t *testing.T) {
	a, b := numbered(1), numbered(100)
	sum := a
	sum.Add(b)
	largest := map[string]bool{"Capacity": true, "HighWater": true, "Demand": true, "HostHighWater": true}
	eachNumber(reflect.ValueOf(&a).Elem(), "", func(name string, x reflect.Value) {
		y, z := at(b, name), at(sum, name)
		want := x.Uint() + y
		if largest[name] {
			want = max(x.Uint(), y)
		}
		require.Equal(t, want, z, name)
	})
	sum = b
	sum.Add(a)
	require.Equal(t, b.HighWater, sum.HighWater, "the largest, also of the first")
}

// numbered has a different value in each field.
func numbered(from uint64) (s dynpool.Stats) {
	eachNumber(reflect.ValueOf(&s).Elem(), "", func(_ string, v reflect.Value) {
		v.SetUint(from)
		from++
	})
	return s
}

func eachNumber(v reflect.Value, name string, f func(string, reflect.Value)) {
	if v.Kind() != reflect.Struct {
		f(name, v)
		return
	}
	for i := range v.NumField() {
		eachNumber(v.Field(i), name+v.Type().Field(i).Name, f)
	}
}

func at(s dynpool.Stats, name string) (value uint64) {
	eachNumber(reflect.ValueOf(s), "", func(n string, v reflect.Value) {
		if n == name {
			value = v.Uint()
		}
	})
	return value
}

// TestVar: what expvar shows is the Stats.
func TestVar(t *testing.T) {
	want := numbered(1 << 60)
	text := dynpool.Var(func() dynpool.Stats { return want }).String()
	var got dynpool.Stats
	require.NoError(t, json.Unmarshal([]byte(text), &got))
	require.Equal(t, want, got)
	var names map[string]any
	require.NoError(t, json.Unmarshal([]byte(text), &names))
	require.Len(t, names, reflect.TypeFor[dynpool.Stats]().NumField())
	require.Contains(t, names, "high_water")
}

// TestStatsWhileRunning reads and writes the statistics while batches run.
func TestStatsWhileRunning(t *testing.T) {
	dev := newCountingDevice()
	a := newActor(t, dev, []byte(noWaits))
	r, err := dynpool.OpenRunner(dev, a.layout, 3, dynpool.WithArena(1<<20), dynpool.WithFaults(dynpool.FaultPlan{Rate: 100}))
	require.NoError(t, err)
	v := dynpool.Var(r.Stats)
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		var before dynpool.Stats
		for {
			now := r.Stats()
			if now.Batches < before.Batches || now.Injected > now.Failures.Exhausted || now.Syncs < now.Batches {
				panic("no such statistics")
			}
			before = now
			_ = v.String()
			select {
			case <-done:
				return
			default:
			}
		}
	})
	_, err = r.Run(t.Context(), 10000, 10, func(w *dynpool.Worker, first, count uint64) error {
		_, err := a.play(w.Pool(), w.Stream(), first, count, typical)
		return err
	})
	close(done)
	wg.Wait()
	require.NoError(t, err)
	require.NoError(t, r.Close())
	require.EqualValues(t, 10000, r.Stats().Events, "also when it is closed")
	dev.close(t)
}
