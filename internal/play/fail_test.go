package play_test

import (
	"errors"
	"sync/atomic"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

var errFailing = errors.New("the device has failed")

// failing is a device on which no wait succeeds after a number of them.
type failing struct {
	*host.Device
	after int64
	waits atomic.Int64
}

func (d *failing) NewStream() (kernels.Stream, error) {
	s, err := d.Device.NewStream()
	return &failingStream{s, d}, err
}

type failingStream struct {
	kernels.Stream
	d *failing
}

func (s *failingStream) Synchronize() error {
	err := s.Stream.Synchronize()
	if s.d.waits.Add(1) > s.d.after {
		return errFailing
	}
	return err
}
