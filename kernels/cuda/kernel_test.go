//go:build linux && (amd64 || arm64) && !seqplan_nodevice

package cuda

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// A module is loaded as a whole or not at all.
func TestLoadModule(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	loadKernel(t, d, sign("mine", 2))
	live := f.count("fake_live")
	image := ptx(sign("a", 1), sign("b", 1), sign("mine", 1))
	for _, test := range []struct {
		name       string
		image      []byte
		signatures []kernels.Signature
		want       string
		is         error
	}{
		{"empty", nil, nil, "empty", nil},
		{"no PTX", []byte("nonsense"), nil, "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (218): line 1; there is no .version", nil},
		{"missing kernel", image, []kernels.Signature{sign("a", 1), sign("c", 1)}, `kernel "c": cuModuleGetFunction: CUDA_ERROR_NOT_FOUND (500)`, kernels.ErrNoKernel},
		{"no name", image, []kernels.Signature{sign("a\x00", 1)}, `kernel "a\x00"`, kernels.ErrNoKernel},
		{"too many arguments", image, []kernels.Signature{sign("a", kernels.MaxArgs+1)}, "9 arguments, more than 8", nil},
		{"exists", image, []kernels.Signature{sign("a", 1), sign("mine", 1)}, `kernel "mine" exists`, nil},
		{"twice", image, []kernels.Signature{sign("a", 1), sign("a", 1)}, `kernel "a" exists`, nil},
		{"built in", ptx(kernels.Builtins()...), kernels.Builtins()[:1], `kernel "seqplan_reset" exists`, nil},
	} {
		err := d.LoadModule(test.image, test.signatures...)
		require.ErrorContains(t, err, test.want, test.name)
		if test.is != nil {
			require.ErrorIs(t, err, test.is, test.name)
		}
		require.Equal(t, live, f.count("fake_live"), test.name)
		_, err = d.Kernel("a")
		require.ErrorIs(t, err, kernels.ErrNoKernel, test.name)
	}
	require.NoError(t, d.LoadModule(image, sign("b", 1), sign("a", 1)))
	_, err := d.Kernel("a")
	require.NoError(t, err)
}

// The driver finds the end of a text by its NUL, and the text itself stays as it is.
func TestTerminated(t *testing.T) {
	image := []byte("text.more")
	require.Equal(t, []byte("text\x00"), terminated(image[:4]))
	require.Equal(t, "text.more", string(image))
	require.Equal(t, "text", text([]byte("text\n\x00rest")))
	require.Equal(t, "text", text([]byte("text")))
}

// All built-in kernels are found, and an image that lacks one is refused.
func TestBuiltins(t *testing.T) {
	f := newFake(t)
	d := f.open(t)
	for _, s := range kernels.Builtins() {
		k, err := d.Kernel(s.Name)
		require.NoError(t, err)
		require.Equal(t, s.Name, k.Name())
		require.Equal(t, len(s.Args), k.(*kernel).args)
	}
	all := kernels.Builtins()
	_, err := Open(0, Options{Library: f.path, Image: ptx(all[1:]...)})
	require.ErrorIs(t, err, kernels.ErrNoKernel)
	require.ErrorContains(t, err, `built-in kernels: kernel "seqplan_reset"`)
}

// The PTX that comes with the package has every kernel, and each takes what its
// signature says: the fake driver reads as many arguments as the PTX declares.
func TestBuiltinImage(t *testing.T) {
	f := newFake(t)
	d, err := Open(0, Options{Library: f.path})
	require.NoError(t, err)
	s, err := d.NewStream()
	require.NoError(t, err)
	for _, sig := range kernels.Builtins() {
		k, err := d.Kernel(sig.Name)
		require.NoError(t, err)
		calls := f.count("fake_calls")
		require.NoError(t, s.Launch(k, one, kernels.Args{1, 2, 3, 4, 5, 6, 7, 8}))
		require.Equal(t, []string{
			"cuLaunchKernel " + sig.Name + " 1x1x1 1x1x1 0 stream1" + " 1 2 3 4 5 6 7 8"[:2*len(sig.Args)],
		}, f.since(calls))
	}
	require.NoError(t, s.Close())
	require.NoError(t, d.Close())
	f.clean(t)
}
