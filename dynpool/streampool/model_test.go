package streampool_test

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/internal/splitmix"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// model plays a random program on pools, and knows by other means than they do what
// comes before what: for each stream the set of operations that its next one comes
// after. So the program can be kept legal, which means that
//
//   - what uses an allocation comes after its MallocAsync, and FreeAsync after all uses;
//   - a fill comes after all earlier uses, and a check after the last fill.
//
// Nothing else orders the streams. See model_check_test.go for what must hold then.
type model struct {
	t    modelT
	draw draws
	dev  *modelDevice
	rt   *streampool.Runtime

	memory   uint64 // of the device; 0: no limit
	pools    []*modelPool
	streams  []*modelStream
	events   []*modelEvent
	allocs   []*modelAlloc                // in the order of their MallocAsync
	holder   map[kernels.Addr]*modelAlloc // the last one, of each quantum
	uses     []*modelUse
	streamOf []*modelStream // by operation
	marks    opSet          // those that the device does not run
	host     opSet          // those that the host knows to have finished

	meanwhile func()                    // what happens while an event is asked
	calling   *modelPool                // that is in MallocAsync
	asked     int                       // operations before the last time that a pool could ask the device or waited
	ever      map[kernels.PoolAttr]bool // a policy was on in one of the pools
	broken    error
	log       []string
}

// modelT is what testing.T and rapid.T have in common.
type modelT interface {
	Helper()
	Errorf(format string, args ...any)
	FailNow()
}

type modelPool struct {
	*streampool.Pool
	id      int
	maxSize uint64
	attrs   map[kernels.PoolAttr]uint64 // policies and threshold

	reserved, reservedHigh, used, usedHigh uint64
}

type modelStream struct {
	kernels.Stream
	id   int
	past opSet // what its next operation comes after
}

type modelEvent struct {
	kernels.Event
	id   int
	past opSet // what it stands for
}

type modelAlloc struct {
	id            int
	pool          *modelPool
	addr          kernels.Addr
	size, rounded uint64
	malloc, free  int // operations; free is 0 while it lives
	uses          []*modelUse
	fill          *modelUse     // the last one
	freed         opSet         // the work that its free comes after
	before        []*modelAlloc // earlier ones that had some of the bytes
}

func (a *modelAlloc) String() string { return fmt.Sprintf("a%d", a.id) }

func (a *modelAlloc) live() bool { return a.free == 0 }

// finished reports whether all work on the allocation has run.
func (a *modelAlloc) finished() bool {
	for _, u := range a.uses {
		if !u.ran {
			return false
		}
	}
	return true
}

// Errorf makes the model a require.TestingT, whose errors show the program.
func (m *model) Errorf(format string, args ...any) {
	m.t.Helper()
	program := ""
	for _, line := range m.log {
		program += "  " + line + "\n"
	}
	m.t.Errorf("%s\nat the end of the program:\n%s", fmt.Sprintf(format, args...), program)
}

func (m *model) FailNow() { m.t.FailNow() }

func (m *model) logf(format string, args ...any) { m.log = append(m.log, fmt.Sprintf(format, args...)) }

// play plays a program from its beginning to an end where all is given back.
func play(t modelT, draw draws, interleave func(int, bool) int) *model {
	m := &model{t: t, draw: draw, ever: make(map[kernels.PoolAttr]bool), holder: make(map[kernels.Addr]*modelAlloc)}
	m.streamOf = []*modelStream{nil} // so that no operation is 0
	region := []uint64{4096, 1024, 256, 0}[draw.pick(4)]
	if draw.pick(4) == 0 {
		m.memory = uint64(1+draw.pick(10)) * 1024
	}
	m.logf("regions of %d, a device of %d", region, m.memory)
	m.dev = &modelDevice{Device: host.New(host.Options{Memory: m.memory, Interleave: interleave}), m: m}
	require.NoError(m, m.dev.Register("use", m.modelUse))
	var err error
	m.dev.kernel, err = m.dev.Kernel("use")
	require.NoError(m, err)
	m.rt, err = streampool.New(m.dev, streampool.Options{Region: region})
	require.NoError(m, err)
	for range 1 + draw.pick(2)*draw.pick(2) {
		m.create()
	}
	for range 1 + draw.pick(2) {
		m.open()
	}
	for i := range 3 {
		e, err := m.rt.NewEvent()
		require.NoError(m, err)
		m.events = append(m.events, &modelEvent{Event: e, id: i})
	}
	defer m.panics()
	for draw.more() {
		m.operation()
		m.holds()
	}
	m.end()
	return m
}

// panics shows the program where the package panics. A failed test of rapid does so
// too, with a type of its own.
func (m *model) panics() {
	switch what := recover().(type) {
	case nil:
	case string, runtime.Error:
		m.Errorf("panic: %v\n%s", what, debug.Stack())
		m.FailNow()
	default:
		panic(what)
	}
}

// TestModel plays programs, each in several orders. SEQPLAN_MODEL_PROGRAMS says how
// many.
func TestModel(t *testing.T) {
	programs := 500
	if n, err := strconv.Atoi(os.Getenv("SEQPLAN_MODEL_PROGRAMS")); err == nil {
		programs = n
	}
	var ways streampool.Stats
	for seed := range uint64(programs) {
		for kind := range schedules {
			m := play(t, bySeed(seed, 30+int(splitmix.Mix(seed)%200)), schedule(kind, seed))
			for _, p := range m.pools {
				s := p.Stats()
				ways.FromStream += s.FromStream
				ways.FromFinished += s.FromFinished
				ways.FromEvent += s.FromEvent
				ways.FromOpportunity += s.FromOpportunity
				ways.FromDependency += s.FromDependency
				ways.FromRun += s.FromRun
			}
		}
	}
	if programs >= 100 {
		for _, n := range []uint64{ways.FromStream, ways.FromFinished, ways.FromEvent, ways.FromOpportunity, ways.FromDependency, ways.FromRun} {
			require.Greater(t, n, uint64(programs/3), "%+v", ways)
		}
	}
}

// TestModelShrinks plays programs that rapid makes small where they fail.
func TestModelShrinks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 100).Draw(t, "operations")
		order := schedule(rapid.IntRange(0, schedules-1).Draw(t, "schedule"), rapid.Uint64Max(100).Draw(t, "order"))
		play(t, draws{
			pick: func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "pick") },
			more: func() bool { n--; return n >= 0 },
		}, order)
	})
}
