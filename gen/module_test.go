package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

// veloModule is a module as a user has it: a package with the types, a package that is
// generated into, and a program.
func veloModule(t *testing.T) (dir string) {
	t.Helper()
	root, err := filepath.Abs("..")
	require.NoError(t, err)
	dir = t.TempDir()
	writeFiles(t, dir, map[string]string{
		"go.mod": fmt.Sprintf("module example.org/velo\n\ngo 1.26\n\nrequire %s v0.0.0\n\nreplace %s => %s\n", modulePath, modulePath, root),
		"abi/abi.go": "// Package abi has the name of a package that the generated file imports.\npackage abi\n\n" +
			"type Hit struct{ X, Y, Z float32 }\n",
		"seq/seq.go":   "package seq\n\ntype Track struct{ P [5]float64 }\n\nvar _ Track\n",
		"seq/seq.yaml": veloYAML,
		"main.go":      veloMain,
	})
	return dir
}

const veloYAML = `seqplan: 1
name: velo
params: {n_events: {min: 1, max: 100}, width: 4}
types:
  hit: {size: 12, align: 4, go: example.org/velo/abi.Hit}
  track: {size: 40, align: 8, go: example.org/velo/seq.Track}
counts:
  n_hits: {at: "offsets[n_events]", max: "n_events * 500"}
steps:
  - name: decode
    writes:
      offsets: {type: u32, count: "n_events + 1"}
      sizes: {type: u16, count: "n_events * width", scope: host}
  - name: fit
    reads: [offsets]
    writes:
      hits: {type: hit, count: "n_hits"}
      tracks: {type: track, count: "max(count_of(hits) / 3, count_of(offsets))"}
outputs: [tracks]
`

// veloMain opens the pools, runs a batch, and prints what it got as JSON.
const veloMain = `package main

import (
	"encoding/binary"
	"encoding/json"
	"os"

	"example.org/velo/seq"

	"github.com/seqplan/seqplan/dynpool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	dev := host.New(host.Options{})
	pool, err := seq.Open(dev, dynpool.WithCapacity(seq.DevicePoolSize+1<<20))
	check(err)
	stream, err := dev.NewStream()
	check(err)
	batch, err := pool.Begin(stream, seq.Params{NEvents: 10})
	check(err)
	check(batch.Step(seq.StepDecode))
	count := binary.LittleEndian.AppendUint32(nil, 77)
	check(stream.CopyToDevice(pool.Offsets()+4*10, count))
	check(batch.Step(seq.StepFit))
	status, err := batch.End()
	check(err)
	elements, err := seq.TracksCount(seq.Params{NEvents: 10}, seq.Counts{NHits: 77})
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"layout":   seq.Layout(),
		"offsets":  pool.Offsets() - pool.Base(),
		"sizes":    len(pool.Sizes()),
		"tracks":   pool.TracksSlot() - pool.Base(),
		"slots":    status.Slots,
		"elements": elements,
		"high":     kernels.Addr(status.High),
	}))
}
`

// goCommand runs the go command in a module, without a network.
func goCommand(dir string, args ...string) (stdout, stderr string, err error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// End to end in a user's module: generate, build, run, compare with the plan.
// Then change a type: the build fails at the line that names it.
func TestUserModule(t *testing.T) {
	dir := veloModule(t)
	output := filepath.Join(dir, "seq", "velo_seqplan.go")
	seq, plan := load(t, filepath.Join(dir, "seq", "seq.yaml"))
	var text bytes.Buffer
	require.NoError(t, Go(&text, seq, plan, GoOptions{Package: "seq", Dir: filepath.Dir(output)}))
	require.NotContains(t, text.String(), "example.org/velo/seq", "a package does not import itself")
	require.Contains(t, text.String(), "\n\tabi1 \"example.org/velo/abi\"\n", "its name is taken")
	_, err := WriteIfChanged(output, text.Bytes())
	require.NoError(t, err)

	stdout, stderr, err := goCommand(dir, "run", ".")
	require.NoError(t, err, stderr)
	var got struct {
		Layout                                 *abi.Layout
		Offsets, Sizes, Tracks, Elements, High uint64
		Slots                                  []abi.Slot
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &got))
	require.Equal(t, plan.Layout, got.Layout)
	require.Equal(t, uint64(plan.Buffers[0].Offset), got.Offsets)
	require.Equal(t, uint64(plan.Buffers[1].Max), got.Sizes)
	require.Equal(t, plan.Layout.SlotsOffset+abi.SlotSize, got.Tracks)
	elements, err := expr.Eval(seq.Buffers[3].Count, values{seq, []uint64{10, 4}, []uint64{77}})
	require.NoError(t, err)
	require.Equal(t, elements, got.Elements)
	require.Equal(t, []abi.Slot{
		{Offset: plan.Layout.Device.Size, Size: 77 * 12},
		{Offset: plan.Layout.Device.Size + 1024, Size: elements * 40},
	}, got.Slots)
	require.Equal(t, uint64(1024+1024), got.High)

	// Generated over its own output the bytes are the same.
	var again bytes.Buffer
	require.NoError(t, Go(&again, seq, plan, GoOptions{Package: "seq", Dir: filepath.Dir(output)}))
	require.NoError(t, Check(output, again.Bytes()))

	for _, test := range []struct{ file, old, new, line string }{
		{"abi/abi.go", "X, Y, Z float32", "X, Y, Z, W float32", "unsafe.Sizeof(*new(abi1.Hit))"},
		{"abi/abi.go", "X, Y, Z float32", "X [12]uint8", "unsafe.Alignof(*new(abi1.Hit))"},
		{"seq/seq.go", "[5]float64", "[4]float64", "unsafe.Sizeof(*new(Track))"},
	} {
		path := filepath.Join(dir, filepath.FromSlash(test.file))
		original := read(t, path)
		require.Contains(t, original, test.old)
		writeFiles(t, dir, map[string]string{test.file: strings.Replace(original, test.old, test.new, 1)})
		_, stderr, err := goCommand(dir, "build", "./seq")
		require.Error(t, err)
		require.Contains(t, stderr, "seq/velo_seqplan.go:"+lineOf(t, text.String(), test.line)+":")
		require.Equal(t, 1, strings.Count(stderr, "velo_seqplan.go:"), stderr)

		// The generator says it at the place of the type.
		err = Go(&bytes.Buffer{}, seq, plan, GoOptions{Package: "seq", Dir: filepath.Dir(output)})
		require.Len(t, err, 1)
		fault := err.(sequences.Diagnostics)[0]
		require.Contains(t, []any{CodeGoSize, CodeGoAlign}, any(fault.Code))
		wantLine := 5
		if test.file == "seq/seq.go" {
			wantLine = 6
		}
		require.Equal(t, wantLine, fault.Pos.Line)
		writeFiles(t, dir, map[string]string{test.file: original})
	}
}

// The guard of the ABI fails in a module with a runtime of another version.
func TestGoABIGuard(t *testing.T) {
	s := newSketch()
	s.step("decode")
	text := s.goText(t)
	require.Contains(t, text, fmt.Sprintf("[abi.Version-%d]", abi.Version))
	typeCheck(t, text, "amd64")
	stale := strings.Replace(text, fmt.Sprintf("[abi.Version-%d]", abi.Version), fmt.Sprintf("[abi.Version-%d]", abi.Version-1), 1)
	_, err := tryTypeCheck(t, stale, "amd64")
	require.ErrorContains(t, err, "out of bounds")
}
