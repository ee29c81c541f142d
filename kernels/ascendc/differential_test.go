package ascendc_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/ascendc"
	"github.com/seqplan/seqplan/kernels/ascendc/twin"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// write writes cases to a file.
func write(t *testing.T, cases []*kernelstest.Case) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, kernelstest.WriteCases(&b, cases))
	name := filepath.Join(t.TempDir(), "cases")
	require.NoError(t, os.WriteFile(name, b.Bytes(), 0o600))
	return name
}

// compare runs cases on a driver and compares every pool with that of the oracle.
func compare(t *testing.T, driver string, round, offset int, cases []*kernelstest.Case) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(driver, write(t, cases), fmt.Sprint(round), fmt.Sprint(offset))
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	err = kernelstest.CompareCases(bufio.NewReader(out), cases)
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	require.NoError(t, err, "round %d, offset %d: %s", round, offset, &stderr)
	require.NoError(t, cmd.Wait(), "%s", &stderr)
}

// TestDifferential runs 10,000 random programs.
func TestDifferential(t *testing.T) {
	driver, err := twin.New(t).Driver(twin.Write(t, ascendc.Files()), "-O2")
	require.NoError(t, err)
	const each = 2500
	for round := range 4 {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			t.Parallel()
			compare(t, driver, round, 0, slices.Collect(kernelstest.Programs(uint64(round)*each, each)))
		})
	}
}

// TestUnaligned: nothing depends on where in a line the pool starts.
func TestUnaligned(t *testing.T) {
	driver, err := twin.New(t).Driver(twin.Write(t, ascendc.Files()), "-O1")
	require.NoError(t, err)
	cases := slices.Collect(kernelstest.Programs(1<<30, 200))
	for seed := range uint64(4) {
		cases = append(cases, list(1<<10+seed, 2))
	}
	for _, offset := range []int{8, 32, 56} {
		compare(t, driver, offset, offset, cases)
	}
}

// TestLists places lists of up to five chunks on all numbers of cores.
func TestLists(t *testing.T) {
	driver, err := twin.New(t).Driver(twin.Write(t, ascendc.Files()), "-O2")
	require.NoError(t, err)
	var cases []*kernelstest.Case
	for seed := range uint64(20) {
		cases = append(cases, list(1<<20+seed, 1+int(seed)%5))
	}
	for round := range 4 {
		compare(t, driver, round, 0, cases)
	}
}

// TestAtomics: the form for Ascend 950, where kernels allocate with compare-and-swap.
func TestAtomics(t *testing.T) {
	driver, err := twin.New(t).Driver(twin.Write(t, ascendc.Files()), "-O1", atomics)
	require.NoError(t, err)
	compare(t, driver, 0, 0, slices.Collect(kernelstest.Programs(1<<40, 1000)))
}
