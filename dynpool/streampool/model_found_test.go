package streampool_test

import (
	"testing"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels/host"
)

// TestRunFreedNow: a run whose first piece was freed where the stream stands now is cut
// like any other.
func TestRunFreedNow(t *testing.T) {
	w := newWorld(t, host.Options{}, streampool.Options{})
	s := w.stream()
	p := w.pool(2560)
	a := p.malloc(1536, s)
	work(t, s, a)
	p.free(a, s)
	p.free(p.malloc(1792, s), s)
}
