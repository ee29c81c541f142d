package bench

import "github.com/seqplan/seqplan/kernels"

// Tally counts what a host asks of a device.
type Tally struct {
	Waits          uint64 `json:"synchronizations"`
	Launches       uint64 `json:"launches"`
	CopiesToHost   uint64 `json:"copies_to_host"`
	BytesToHost    uint64 `json:"bytes_to_host"`
	CopiesToDevice uint64 `json:"copies_to_device"`
	BytesToDevice  uint64 `json:"bytes_to_device"`
}

// tallied is a device that counts what goes through its streams. They belong to one
// goroutine.
type tallied struct {
	kernels.Device
	Tally
}

// NewStream implements kernels.Device.
func (d *tallied) NewStream() (kernels.Stream, error) {
	s, err := d.Device.NewStream()
	if err != nil {
		return nil, err
	}
	return &talliedStream{s, &d.Tally}, nil
}

type talliedStream struct {
	kernels.Stream
	tally *Tally
}

func (s *talliedStream) CopyToDevice(dst kernels.Addr, src []byte) error {
	s.tally.CopiesToDevice++
	s.tally.BytesToDevice += uint64(len(src))
	return s.Stream.CopyToDevice(dst, src)
}

func (s *talliedStream) CopyToHost(dst []byte, src kernels.Addr) error {
	s.tally.CopiesToHost++
	s.tally.BytesToHost += uint64(len(dst))
	return s.Stream.CopyToHost(dst, src)
}

func (s *talliedStream) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	s.tally.Launches++
	return s.Stream.Launch(k, grid, args)
}

func (s *talliedStream) Synchronize() error {
	s.tally.Waits++
	return s.Stream.Synchronize()
}
