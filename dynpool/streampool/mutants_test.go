package streampool_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
)

// mutant is a source of the package in which one text, that occurs once, is another.
type mutant struct{ name, file, old, text string }

// mutants lack a guard of the package.
var mutants = []mutant{
	{"no order by event", "reuse.go", "if s.known.covers(e.Val.freed) {", "if true {"},
	{"every stream comes after all", "stream.go", "return p.stream == s.index || s.known.covers(p)", "return true"},
	{"an answer of the device is ignored", "marker.go", "m.raw.Query(); !done ||", "m.raw.Query(); false && !done ||"},
	{"polled work was all of the stream", "marker.go", "\t\tr.done.set(point{s.index, m.tick})\n\t}\n\ts.reap()", "\t\tr.done.set(s.now())\n\t}\n\ts.reap()"},
	{"no wait is queued", "reuse.go", "s.raw.Wait(m.raw)", "error(nil)"},
	{"a wait that is queued is no operation", "reuse.go", "\ts.tick++\n", ""},
	{"no wait for a run", "allocate.go", "if !usable(e) {", "if false {"},
	{"any event does for a point", "marker.go", "return m.tick >= p.tick", "return true"},
	{"a record adds to the last one", "event.go", "own.upTo = own.upTo[:0]", ""},
	{"an answer stands for a later record", "event.go", "e.records == records", "e.records >= records"},
	{"all that is free is ready", "free.go", "e != nil && done.covers(e.Val.freed);", "e != nil;"},
	{"nothing marks a free", "pool.go", "s.mark()", "error(nil)"},
	{"a mark is not recorded", "marker.go", "s.raw.Record(m.raw)", "error(nil)"},
	{"an old mark stands for later work", "marker.go", "n > 0 && s.marks[n-1].tick == s.tick", "n > 0"},
	{"marks are dropped too early", "marker.go", "n < len(s.marks) && s.r.done.covers(point{s.index, s.marks[n].tick})", "n < len(s.marks)"},
	{"the point of a free is not set", "pool.go", "freed: now}", "freed: point{stream: s.index}}"},
	{"any free memory is usable", "allocate.go", "return e.Val.status == ready ||", "return true ||"},
	{"what is left of a run is ready", "run.go", "if !allReady {", "if allReady = true; !allReady {"},
	{"what is left of a piece is ready", "free.go", "rest.Val = val", "rest.Val = state{status: ready}"},
	{"what is left of a piece was freed last", "free.go", "val, newer := e.Val, e.Val.newer", "val, newer := e.Val, (*piece)(nil)"},
	{"neighbours are joined whenever they were freed", "free.go", "e.freed == neighbour.freed ||", "true ||"},
	{"a region goes back with work on it", "release.go", "e.Whole() && e.Val.status == ready", "e.Whole() && e.Val.status != inUse"},
	{"a region goes back with allocations in it", "release.go", "e.Whole() && e.Val.status == ready", "e.Whole()"},
	{"the threshold is ignored", "release.go", " || size > p.stats.Reserved-p.stats.Used-keepFree", ""},
	{"what must be kept is ignored", "release.go", "size > p.stats.Reserved-keep || ", ""},
	{"a pool grows beyond its maximum", "grow.go", "if wanted > room {", "if wanted > room && wanted > p.max {"},
	{"a stream starts at 0", "stream.go", "s.tick = r.done.at(s.index)", "s.tick = 0"},
	{"a launch is no operation", "stream.go", "\ts.tick++\n\treturn s.raw.Launch(", "\treturn s.raw.Launch("},
	{"a memset is no operation", "stream.go", "\ts.tick++\n\treturn s.raw.Memset(", "\treturn s.raw.Memset("},
	{"a copy to the device is no operation", "stream.go", "\ts.tick++\n\treturn s.raw.CopyToDevice(", "\treturn s.raw.CopyToDevice("},
	{"a copy to the host is no operation", "stream.go", "\ts.tick++\n\treturn s.raw.CopyToHost(", "\treturn s.raw.CopyToHost("},
	{"a copy is no operation", "stream.go", "\ts.tick++\n\treturn s.raw.CopyDevice(", "\treturn s.raw.CopyDevice("},
	{"a wait is no operation", "event.go", "\ts.tick++\n\tif err := s.raw.Wait(", "\tif err := s.raw.Wait("},
	{"synchronization is not noted", "stream.go", "\ts.knows(&r.done)\n", ""},
	{"the host does not wait", "marker.go", "m.raw.Synchronize()", "error(nil)"},
	{"events are followed though they must not be", "reuse.go", "if p.follow {", "if true {"},
	{"events are followed for runs though they must not be", "allocate.go", "|| p.follow && s.known", "|| s.known"},
	{"the device is asked though it must not be", "allocate.go", "if e == nil && p.guess {", "if e == nil {"},
	{"waits are queued though they must not be", "allocate.go", "if p.depend {", "if true {"},
}

// build makes the test program of the package with a source replaced.
func (m mutant) build(t *testing.T, tool string) string {
	t.Helper()
	text, err := os.ReadFile(m.file)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), m.old), "%s has not once %q", m.file, m.old)
	dir := t.TempDir()
	source, err := filepath.Abs(m.file)
	require.NoError(t, err)
	changed := filepath.Join(dir, m.file)
	require.NoError(t, os.WriteFile(changed, []byte(strings.Replace(string(text), m.old, m.text, 1)), 0o600))
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {source: changed}})
	require.NoError(t, err)
	list := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(list, overlay, 0o600))
	program := filepath.Join(dir, "model.test")
	out, err := exec.Command(tool, "test", "-c", "-ldflags=-s -w", "-overlay", list, "-o", program, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// TestMutants: without any of the guards the model test fails.
func TestMutants(t *testing.T) {
	tool := tooltest.Need(t, "go")
	for _, m := range mutants {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(m.build(t, tool), "-test.run=^TestModel$", "-test.timeout=60s")
			cmd.Env = append(os.Environ(), "SEQPLAN_MODEL_PROGRAMS=2000") // most need few of them
			out, err := cmd.CombinedOutput()
			require.Error(t, err, "nothing shows that it is missing")
			require.Contains(t, string(out), "--- FAIL: TestModel")
		})
	}
}

// TestFewMarks: the model test holds however few points of a stream are marked.
func TestFewMarks(t *testing.T) {
	tool := tooltest.Need(t, "go")
	m := mutant{"", "marker.go", "const maxMarkers = 64", "const maxMarkers = 1"}
	out, err := exec.Command(m.build(t, tool), "-test.run=^TestModel$").CombinedOutput()
	require.NoError(t, err, "%s", out)
}
