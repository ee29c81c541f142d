package gen

import (
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/csrc"
)

// The device sources have the header that is generated now.
func TestABIHeader(t *testing.T) {
	text, err := fs.ReadFile(csrc.Files(), "seqplan_abi.h")
	require.NoError(t, err)
	require.True(t, string(ABIHeader()) == string(text), "run go generate ./kernels/csrc")
}

// A sequence header and those of the device go together, in any order.
func TestCHeaderWithDeviceHeaders(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, csrc.Files()))
	s := everyType()
	writeFiles(t, dir, map[string]string{"velo_seqplan.h": s.cText(t)})
	const source = `
int main()
{
    alignas(128) static unsigned char pool[4096];
    seqplan_control *c = reinterpret_cast<seqplan_control *>(pool);
    c->magic = SEQPLAN_MAGIC;
    c->arena_start = 1024;
    c->arena_capacity = 512;
    c->arena_align = 256;
    bool first = seqplan_alloc(pool, 0, 1) == 1024, second = seqplan_alloc(pool, 0, 256) == 1280;
    bool third = seqplan_alloc(pool, 0, 1) == SEQPLAN_NOT_PLACED && c->code == SEQPLAN_CODE_EXHAUSTED;
    return first && second && third && VELO_NUM_STEPS == 2 ? 0 : 1;
}
`
	c := compiler{"g++", "user.cc", append([]string{"-std=c++17"}, warnings...)}
	for _, includes := range []string{
		"#include \"velo_seqplan.h\"\n#include \"seqplan_alloc.h\"\n",
		"#include \"seqplan_alloc.h\"\n#include \"velo_seqplan.h\"\n",
	} {
		require.Empty(t, c.run(t, dir, includes+source))
	}
}
