package csrc_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// runCases runs cases on a driver and compares every pool with that of the oracle.
func runCases(t *testing.T, driver string, blocks, threads int, cases []*kernelstest.Case) error {
	t.Helper()
	f := create(t, "cases")
	w := bufio.NewWriter(f)
	require.NoError(t, kernelstest.WriteCases(w, cases))
	require.NoError(t, w.Flush())
	require.NoError(t, f.Close())
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(driver, f.Name(), fmt.Sprint(blocks), fmt.Sprint(threads))
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, &stderr)
	}
	return kernelstest.CompareCases(&stdout, cases)
}

// TestDifferential runs 10,000 random programs on the host port, on one block and on
// several.
func TestDifferential(t *testing.T) {
	driver := build(t, "g++", "driver.cc", "-O2")
	for seed := uint64(0); seed < 10_000; seed += 500 {
		cases := slices.Collect(kernelstest.Programs(seed, 500))
		require.NoError(t, runCases(t, driver, 1+int(seed/500)%4, 1, cases))
	}
}

// TestSanitizers: no access leaves the pool, and nothing is undefined.
func TestSanitizers(t *testing.T) {
	driver := build(t, "g++", "driver.cc", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
	require.NoError(t, runCases(t, driver, 2, 1, slices.Collect(kernelstest.Programs(20_000, 800))))
}

// TestThreads: the threads of a block work together, without a race.
func TestThreads(t *testing.T) {
	driver := build(t, "g++", "driver.cc", "-O1", "-g", "-fsanitize=thread")
	cases := slices.Collect(kernelstest.Programs(30_000, 60))
	for _, grid := range [][2]int{{1, 2}, {2, 3}, {3, 5}} {
		n := len(cases) / 3
		require.NoError(t, runCases(t, driver, grid[0], grid[1], cases[:n]))
		cases = cases[n:]
	}
}

// TestDraw: the random programs reach what they are for.
func TestDraw(t *testing.T) {
	seen := make(map[string]int)
	for c := range kernelstest.Programs(0, 2000) {
		c.Expect(func(i int, pool []byte) {
			line := abi.ReadControl(pool)
			seen[fmt.Sprintf("%s: %s", c.Launches[i].Name(), abi.Code(line.Code))]++
			if line.Flags&abi.FlagReuse != 0 {
				seen["reuse"]++
			}
			if line.Next == line.ArenaCapacity && line.Next > 0 {
				seen["full"]++
			}
		})
	}
	for what, n := range map[string]int{
		"seqplan_step: ok": 5000, "seqplan_step: exhausted": 1000, "seqplan_step: count over max": 100,
		"seqplan_step: arithmetic": 100, "seqplan_step: bad program": 1000, "seqplan_reset: bad program": 50,
		"seqplan_list_place: ok": 500, "seqplan_list_place: arithmetic": 20, "seqplan_test_alloc: ok": 1000,
		"seqplan_release: ok": 500, "seqplan_check: ok": 300, "reuse": 10_000, "full": 1000,
	} {
		require.Greater(t, seen[what], n, what)
	}
}
