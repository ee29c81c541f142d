package sweep

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// ending is a context that is over once it was looked at a number of times.
type ending struct {
	context.Context
	left int
}

// Err implements context.Context.
func (e *ending) Err() error {
	if e.left--; e.left < 0 {
		return context.Canceled
	}
	return nil
}

// A plan that is cancelled while it is made is no result, and no error of the file.
func TestCancelledResult(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "sequences", "hlt1", "velo.yaml"))
	require.NoError(t, err)
	w, err := NewWork("", []File{{Path: "velo.yaml", Data: data}}, nil)
	require.NoError(t, err)
	whole := &ending{t.Context(), 1 << 30}
	_, err = w.result(whole, 0)
	require.NoError(t, err)
	looks := 1<<30 - whole.left
	require.Greater(t, looks, 10, "the planner looks at it")
	for n := 0; n < looks; n += 1 + looks/40 {
		r, err := w.result(&ending{t.Context(), n}, 0)
		require.ErrorIs(t, err, context.Canceled)
		require.Zero(t, r)
	}
}
