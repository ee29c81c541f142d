package dynpool_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

// countingDevice counts how often its streams are waited for.
type countingDevice struct {
	*host.Device
	waits atomic.Uint64
}

type waitedStream struct {
	kernels.Stream
	waits *atomic.Uint64
}

func newCountingDevice() *countingDevice {
	return &countingDevice{Device: host.New(host.Options{})}
}

func (d *countingDevice) NewStream() (kernels.Stream, error) {
	s, err := d.Device.NewStream()
	return waitedStream{s, &d.waits}, err
}

func (s waitedStream) Synchronize() error {
	s.waits.Add(1)
	return s.Stream.Synchronize()
}

// close requires that everything was given back.
func (d *countingDevice) close(t testing.TB) {
	t.Helper()
	require.Equal(t, host.Live{}, d.Live())
	require.NoError(t, d.Close())
}
