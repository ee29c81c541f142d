//go:build linux && (amd64 || arm64)

package gpu_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/tooltest"
)

// smallTools are what run.sh needs beside the driver.
var smallTools = []string{
	"bash", "cat", "cut", "dirname", "env", "grep", "head", "mkdir", "rm", "sed", "sort", "tail", "timeout", "tr",
}

// kit is a kit that was built and unpacked.
type kit struct {
	dir   string
	small string // a directory with the small tools alone
	tools string // a directory with stand-ins for the tools of CUDA
	fake  string // the fake driver
}

func newKit(t *testing.T) *kit {
	for _, name := range append(smallTools, "gcc", "g++", "gzip", "tar") {
		tooltest.Need(t, name)
	}
	k := &kit{small: t.TempDir()}
	for _, name := range smallTools {
		require.NoError(t, os.Symlink(tooltest.Need(t, name), filepath.Join(k.small, name)))
	}
	var err error
	k.tools, err = filepath.Abs("testdata/tools")
	require.NoError(t, err)
	k.fake = fakeDriver(t)
	out := t.TempDir()
	run := exec.Command("./build.sh", out)
	run.Env = append(os.Environ(), "GOARCH=")
	text, err := run.CombinedOutput()
	require.NoError(t, err, "%s", text)
	archive := strings.TrimSpace(string(text))
	require.Equal(t, out, filepath.Dir(archive))
	unpacked := t.TempDir()
	text, err = exec.Command("tar", "-C", unpacked, "-xzf", archive).CombinedOutput()
	require.NoError(t, err, "%s", text)
	k.dir = filepath.Join(unpacked, strings.TrimSuffix(filepath.Base(archive), ".tar.gz"))
	return k
}

// fakeDriver builds the fake driver of package cuda with the kernels of the host port.
func fakeDriver(t *testing.T) string {
	const data = "../../kernels/cuda/testdata/"
	dir := t.TempDir()
	objects := []string{"-shared", "-pthread", "-o", filepath.Join(dir, "libfakehost.so")}
	for _, source := range []string{"fakestate.c", "fakework.c", "fakecuda.c", "fakepool.c", "hostkernels.cc"} {
		compiler, args := "gcc", []string{"-O2", "-fPIC", "-I../../kernels/csrc"}
		if filepath.Ext(source) == ".cc" {
			compiler, args = "g++", append(args, "-std=c++17")
		}
		object := filepath.Join(dir, source+".o")
		objects = append(objects, object)
		text, err := exec.Command(compiler, append(args, "-c", "-o", object, data+source)...).CombinedOutput()
		require.NoError(t, err, "%s", text)
	}
	text, err := exec.Command("g++", objects...).CombinedOutput()
	require.NoError(t, err, "%s", text)
	return objects[3]
}

// row is a row of the table.
type row struct{ result, text string }

// report is what a run has left.
type report struct {
	code  int
	out   string // on stdout and stderr
	text  string // result.md
	dir   string
	names []string
	rows  map[string]row
}

func (r *report) result(part string) string { return r.rows[part].result }

// run runs the kit with the small tools and, on the fake, those of CUDA.
func (k *kit) run(t *testing.T, onFake bool, env []string, args ...string) *report {
	r := &report{dir: t.TempDir(), rows: make(map[string]row)}
	cmd := exec.Command(filepath.Join(k.dir, "run.sh"), append([]string{"-quick", "-o", r.dir}, args...)...)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "CUDA_HOME=/nonexistent", "NVCC_FLAGS=", "SEQPLAN_LIBCUDA=libseqplan-no-such-driver.so", "PATH="+k.small)
	if onFake {
		cmd.Env = append(cmd.Env, "SEQPLAN_LIBCUDA="+k.fake, "PATH="+k.tools+":"+os.Getenv("PATH"))
	}
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	r.out = string(out)
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		r.code = exit.ExitCode()
	} else {
		require.NoError(t, err)
	}
	text, err := os.ReadFile(filepath.Join(r.dir, "result.md"))
	if errors.Is(err, fs.ErrNotExist) {
		return r
	}
	require.NoError(t, err)
	r.text = string(text)
	for _, line := range strings.Split(r.text, "\n") {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| part ") {
			continue
		}
		require.Len(t, cells, 4, line)
		name := strings.TrimPrefix(cells[0], "| ")
		r.names = append(r.names, name)
		r.rows[name] = row{cells[1], strings.TrimSpace(strings.TrimSuffix(cells[3], "|"))}
	}
	require.Len(t, r.rows, len(r.names), "two rows for one part")
	return r
}

// script replaces a program of the kit.
func (k *kit) script(t *testing.T, name, text string) {
	path := filepath.Join(k.dir, name)
	was, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte("#!/usr/bin/env bash\n"+text), 0o777))
	t.Cleanup(func() { require.NoError(t, os.WriteFile(path, was, 0o777)) })
}

func TestKit(t *testing.T) {
	readSources(t)
	k := newKit(t)
	var parts []string
	t.Run("without a GPU", func(t *testing.T) {
		r := k.run(t, false, nil)
		require.Equal(t, 1, r.code, r.out)
		require.Contains(t, r.text, "Device: none.")
		require.Contains(t, r.text, "libseqplan-no-such-driver.so")
		require.Contains(t, r.text, "**The device suite has not passed, so this is no result.**")
		for _, name := range r.names {
			if name == "suite" {
				require.Equal(t, "FAILED", r.result(name))
				require.Contains(t, r.rows[name].text, "there is no CUDA device")
				continue
			}
			require.Regexp(t, "^not run: no (GPU|nvcc|ptxas|compute-sanitizer|nvidia-smi)$", r.result(name), name)
			require.Empty(t, r.rows[name].text)
		}
		parts = r.names
		require.Greater(t, len(parts), 25)
	})
	t.Run("tools without a GPU", func(t *testing.T) {
		r := k.run(t, true, []string{"SEQPLAN_LIBCUDA=libseqplan-no-such-driver.so"}, "suite", "nvcc-kernels", "check", "memcheck-check", "bench-device")
		require.Equal(t, 1, r.code)
		require.Equal(t, "ok", r.result("nvcc-kernels"))
		require.Equal(t, "not run: no GPU", r.result("bench-device"))
		for _, name := range []string{"check", "memcheck-check"} {
			require.Equal(t, "not run: part nvcc-check has not built it", r.result(name))
		}
	})
	t.Run("on the fake", func(t *testing.T) {
		r := k.run(t, true, nil)
		for _, name := range r.names {
			require.Equal(t, "ok", r.result(name), "%s: %s", name, r.rows[name].text)
		}
		require.Equal(t, 0, r.code, r.out)
		require.Equal(t, parts, r.names, "the table has every part in any case")
		require.Contains(t, r.text, "Device: Fake GPU")
		require.Contains(t, r.text, "Nothing that ran has failed.")
		for name, figure := range map[string]string{
			"suite":           `^\d\d tests passed$`,
			"differential":    `^1 tests passed$`,
			"run-reco":        `batches 20, played in .*; events 400 played once, .*; checks \d+, \d+ B compared, 0 failed`,
			"check":           `one captured graph, 200 batches .* us in a graph.*seqplan_alloc by 1024 threads: \d+ million/s`,
			"bench-velo-none": `time, median: readback [\d.]+ ms, planned [\d.]+ ms ratio [\d.]+; synchronizations: readback \d+, planned 1$`,
			"bench-graph":     `GPUGraph: .* ns/step`,
			"bench-device":    `GPUDevice/step_of_10/in_a_stream: [\d.]+ ns/op.*GPUDevice/alloc/threads=32: .* million/s.*memset: .* MB/s.*fill: .* of-memset`,
			"memcheck-suite":  `^ERROR SUMMARY: 0 errors$`,
		} {
			require.Regexp(t, figure, r.rows[name].text, name)
		}
		t.Run("check", func(t *testing.T) { testCheck(t, filepath.Join(r.dir, "build", "check")) })
	})
	t.Run("failures", func(t *testing.T) { testFailures(t, k) })
}

// testFailures: what fails, or does not do what it is for, is no success.
func testFailures(t *testing.T, k *kit) {
	fails := func(name string, env []string, part, text string, parts ...string) {
		t.Run(name, func(t *testing.T) {
			r := k.run(t, true, env, append(parts, part, "suite")...)
			require.Equal(t, 1, r.code, r.out)
			require.Equal(t, "FAILED", r.result(part), r.text)
			require.Regexp(t, text, r.rows[part].text)
			for _, other := range r.names {
				if other != part && (other != "suite" || r.result("suite") != "ok") {
					require.NotEqual(t, "FAILED", r.result(other), other)
				}
			}
			require.Equal(t, part != "suite", r.result("suite") == "ok")
		})
	}
	fails("time", []string{"FAKE_SLEEP=30", "SEQPLAN_KIT_LIMIT=4"}, "nvidia-smi", "^stopped after")
	fails("faults", []string{"FAKE_SUMMARY=ERROR SUMMARY: 2 errors"}, "memcheck-suite", "SUMMARY: 2 errors")
	fails("hazards", []string{"FAKE_SUMMARY=RACECHECK SUMMARY: 1 hazard displayed (1 error)"}, "racecheck-suite", "1 hazard")
	fails("no sanitizer", []string{"FAKE_SUMMARY="}, "synccheck-suite", "no summary")
	fails("no compiler", []string{"NVCC_FLAGS=-no-such-flag"}, "nvcc-kernels", "exit status 1: .*no-such-flag")
	t.Run("tests", func(t *testing.T) {
		k.script(t, "bin/cuda.test", "echo '--- SKIP: TestConformance (0.00s)'\necho PASS\n")
		fails("skipped", nil, "suite", "TestConformance did not pass")
		k.script(t, "bin/cuda.test", "echo '--- PASS: TestConformance (0.00s)'\necho '    --- SKIP: TestConformance/Fill (0.00s)'\n")
		fails("skipped in part", nil, "suite", "1 skipped")
		k.script(t, "bin/cuda.test", "[[ $* == *bench* ]] || echo '--- PASS: TestConformance (0.00s)'\necho PASS\n")
		fails("no benchmark", nil, "bench-device", "BenchmarkGPUDevice did not run")
		fails("other test", nil, "graph", "TestGPUGraph did not pass")
	})
	t.Run("command", func(t *testing.T) {
		k.script(t, "bin/seqplan", "[ \"$1\" = run ] || echo '  cuda:0  Fake GPU'\necho 'device  host: Go'\n")
		fails("other device", nil, "run-velo", "it did not run on cuda")
		fails("nothing compared", nil, "bench-velo-none", "it did not run on cuda")
	})
	t.Run("no suite", func(t *testing.T) {
		r := k.run(t, true, nil, "nvidia-smi")
		require.Equal(t, 1, r.code)
		require.Equal(t, "ok", r.result("nvidia-smi"))
		require.Equal(t, "not run: not chosen", r.result("suite"))
		require.Contains(t, r.text, "this is no result")
	})
	t.Run("no such part", func(t *testing.T) {
		r := k.run(t, true, nil, "suite", "sweet")
		require.Equal(t, 1, r.code)
		require.Contains(t, r.out, "there is no part sweet")
	})
	t.Run("usage", func(t *testing.T) {
		r := k.run(t, true, nil, "-wrong")
		require.Equal(t, 2, r.code)
		require.Contains(t, r.out, "Usage: run.sh")
	})
}

// TestBuildUsage: there are kits for two architectures.
func TestBuildUsage(t *testing.T) {
	tooltest.Need(t, "bash")
	cmd := exec.Command("./build.sh", t.TempDir())
	cmd.Env = append(os.Environ(), "GOARCH=riscv64")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 2, exit.ExitCode())
	require.Contains(t, string(out), "want amd64 or arm64")
}

// readSources reads what the scripts use, so that a cached result of the test does not
// outlive a change of it.
func readSources(t *testing.T) {
	for _, dir := range []string{".", "../../kernels/csrc", "../../kernels/cuda"} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				_, err = os.ReadFile(path)
			}
			return err
		}))
	}
	text, err := os.ReadFile("../../docs/gpu.md")
	require.NoError(t, err)
	require.False(t, bytes.Contains(text, []byte("TODO")))
}
