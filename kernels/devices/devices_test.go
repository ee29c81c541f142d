package devices_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/devices"
)

func TestNames(t *testing.T) {
	require.Equal(t, []string{"host", "opencl[:N|:NAME]", "cuda[:N]", "ascend[:N]"}, devices.Names())
}

// TestMalformed: what is no name is a mistake of the user, and lists the names.
func TestMalformed(t *testing.T) {
	for _, spec := range []string{
		"", "gpu", "HOST", "host:", "host:0", "opencl:", "cuda:", "cuda:a", "cuda:-1", "cuda:+1", "cuda:1:2",
		"cuda:4294967296", "ascend:x", "ascend:", ":", ":0", " host", "host ",
	} {
		d, err := devices.Open(spec)
		require.Nil(t, d)
		require.ErrorIs(t, err, devices.ErrSpec, spec)
		require.NotErrorIs(t, err, kernels.ErrNotSupported)
		require.ErrorContains(t, err, "want host, opencl[:N|:NAME], cuda[:N], ascend[:N]")
		require.Equal(t, err, devices.Check(spec))
	}
	for _, spec := range []string{"host", "opencl", "opencl:0", "opencl:cpu:x", "cuda", "cuda:0", "cuda:12", "ascend:7"} {
		require.NoError(t, devices.Check(spec), spec)
	}
}

func TestHost(t *testing.T) {
	d, err := devices.Open("host")
	require.NoError(t, err)
	require.Equal(t, "host", d.Info().Backend)
	require.NoError(t, d.Close())
}

// libraries are the environment variables that name the library of a back end.
var libraries = map[string]string{
	"opencl": "SEQPLAN_OPENCL_LIBRARY", "cuda": "SEQPLAN_LIBCUDA", "ascend": "SEQPLAN_ASCEND_LIBRARY",
}

// TestMissingLibraries: a library that is not there is ErrNotSupported with the
// name tried, and no device, also not one that is a nil pointer.
func TestMissingLibraries(t *testing.T) {
	for name, env := range libraries {
		t.Setenv(env, "libseqplan-no-such-"+name+".so")
		for _, spec := range []string{name, name + ":0"} {
			d, err := devices.Open(spec)
			require.True(t, d == nil, spec)
			require.ErrorIs(t, err, kernels.ErrNotSupported, spec)
			require.NotErrorIs(t, err, devices.ErrSpec)
			want := os.Getenv(env)
			if !devices.Carried() {
				want = "built without"
			}
			require.ErrorContains(t, err, want, spec)
		}
	}
	found := devices.List()
	require.Len(t, found, 4)
	require.Equal(t, devices.Found{Spec: "host", Name: "Go"}, found[0])
	for _, f := range found[1:] {
		require.ErrorIs(t, f.Err, kernels.ErrNotSupported, f.Spec)
		require.Contains(t, libraries, f.Spec)
	}
}

// TestListed: what is listed without a fault can be opened under its name.
func TestListed(t *testing.T) {
	for _, f := range devices.List() {
		t.Logf("%+v", f)
		if f.Err != nil {
			continue
		}
		d, err := devices.Open(f.Spec)
		require.NoError(t, err, f.Spec)
		require.Equal(t, f.Name, d.Info().Name)
		require.NoError(t, d.Close())
	}
}
