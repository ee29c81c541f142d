package hostsize

import (
	"encoding/binary"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
)

// Reader brings the counts of a batch to the host. It belongs to one stream.
type Reader struct {
	Counts []uint64           // by cell, those that were read
	landed kernels.HostMemory // a word each
}

// NewReader allocates memory for programs of at most so many cells.
func NewReader(dev kernels.Device, cells int) (*Reader, error) {
	// A byte more, since none cannot be allocated.
	landed, err := dev.AllocHost(uint64(cells)*abi.WordSize + 1)
	if err != nil {
		return nil, err
	}
	return &Reader{make([]uint64, cells), landed}, nil
}

// Close gives the memory back. No copy may be queued.
func (r *Reader) Close() error { return r.landed.Free() }

// Read reads the counts that step s needs, of which address says where they lie. All
// of them wait together; a step that needs a wait itself waits too.
func (r *Reader) Read(stream kernels.Stream, p *Program, s int, address func(cell int) (kernels.Addr, error)) error {
	step := &p.Steps[s]
	for _, i := range step.Reads {
		from, err := address(i)
		if err == nil {
			err = stream.CopyToHost(r.landing(p, i), from)
		}
		if err != nil {
			return err
		}
	}
	if len(step.Reads) == 0 && !step.Wait {
		return nil
	}
	if err := stream.Synchronize(); err != nil {
		return err
	}
	for _, i := range step.Reads {
		r.Counts[i] = integer(r.landing(p, i))
	}
	return nil
}

// landing is where a count comes back.
func (r *Reader) landing(p *Program, i int) []byte {
	return r.landed.Bytes()[i*abi.WordSize:][:p.Cells[i].Width]
}

// integer reads an unsigned integer of 1, 2, 4 or 8 bytes.
func integer(b []byte) uint64 {
	var word [abi.WordSize]byte
	copy(word[:], b)
	return binary.LittleEndian.Uint64(word[:])
}
