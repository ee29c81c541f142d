package kernelstest

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/kernels/host"
)

// ErrDiffers is what a Shadow reports where the device and the oracle differ.
var ErrDiffers = errors.New("the device differs from the oracle")

// Shadow is a device that does all its work twice: on the device under test, whose
// results it returns, and on the host back end, the oracle. After every Reset and
// Step the control block, the slots and the table of extents of both are compared,
// and with every copy to the host the bytes; Synchronize returns what differs as an
// ErrDiffers. It adds copies, and no waits.
type Shadow struct {
	kernels.Device
	oracle *host.Device
	layout *abi.Layout
	args   map[string][]kernels.ArgKind

	mu     sync.Mutex
	blocks []shadowBlock
	steps  int // launches of Reset and Step that were compared
}

type shadowBlock struct {
	at, size uint64
	oracle   kernels.Addr
}

// NewShadow shadows a device. The layout says where the control block is.
func NewShadow(dev kernels.Device, layout *abi.Layout) *Shadow {
	s := &Shadow{Device: dev, oracle: host.New(host.Options{}), layout: layout, args: make(map[string][]kernels.ArgKind)}
	for _, b := range kernels.Builtins() {
		s.args[b.Name] = b.Args
	}
	return s
}

// Compared returns after how many launches of Reset and Step memory was compared.
func (s *Shadow) Compared() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.steps
}

// Alloc implements kernels.Device.
func (s *Shadow) Alloc(size uint64) (kernels.Addr, error) {
	a, err := s.Device.Alloc(size)
	if err != nil {
		return 0, err
	}
	b, err := s.oracle.Alloc(size)
	if err != nil {
		return 0, errors.Join(err, s.Device.Free(a))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.blocks = append(s.blocks, shadowBlock{uint64(a), size, b})
	return a, nil
}

// Free implements kernels.Device.
func (s *Shadow) Free(a kernels.Addr) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.blocks, func(b shadowBlock) bool { return b.at == uint64(a) })
	if i < 0 {
		return s.Device.Free(a)
	}
	b := s.blocks[i]
	s.blocks = slices.Delete(s.blocks, i, i+1)
	return errors.Join(s.Device.Free(a), s.oracle.Free(b.oracle))
}

// twin is the address of the oracle that stands for one of the device.
func (s *Shadow) twin(a kernels.Addr) kernels.Addr {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range s.blocks {
		if uint64(a)-b.at < b.size {
			return b.oracle + kernels.Addr(uint64(a)-b.at)
		}
	}
	return 0
}

// Close implements kernels.Device.
func (s *Shadow) Close() error { return errors.Join(s.Device.Close(), s.oracle.Close()) }

type shadowKernel struct {
	kernels.Kernel
	oracle kernels.Kernel
}

// Kernel implements kernels.Device.
func (s *Shadow) Kernel(name string) (kernels.Kernel, error) {
	k, err := s.Device.Kernel(name)
	if err != nil {
		return nil, err
	}
	twin, err := s.oracle.Kernel(name)
	return &shadowKernel{k, twin}, err
}

type shadowEvent struct{ of, oracle kernels.Event }

// NewEvent implements kernels.Device.
func (s *Shadow) NewEvent() (kernels.Event, error) {
	e, err := s.Device.NewEvent()
	if err != nil {
		return nil, err
	}
	twin, err := s.oracle.NewEvent()
	return &shadowEvent{e, twin}, err
}

// Query implements kernels.Event. The oracle does not query: it is done when the
// device is.
func (e *shadowEvent) Query() (bool, error) {
	done, err := e.of.Query()
	if !done || err != nil {
		return false, err
	}
	return true, both(nil, e.oracle.Synchronize())
}

// Synchronize implements kernels.Event. What copies have brought to host memory is
// only compared when their stream is synchronized, and must stay until then.
func (e *shadowEvent) Synchronize() error { return both(e.of.Synchronize(), e.oracle.Synchronize()) }

func (e *shadowEvent) Close() error { return errors.Join(e.of.Close(), e.oracle.Close()) }

// NewStream implements kernels.Device.
func (s *Shadow) NewStream() (kernels.Stream, error) {
	of, err := s.Device.NewStream()
	if err != nil {
		return nil, err
	}
	twin, err := s.oracle.NewStream()
	return &shadowStream{d: s, of: of, oracle: twin}, err
}

type shadowStream struct {
	d          *Shadow
	of, oracle kernels.Stream
	pairs      []pair // to compare when both streams are done
}

// pair is the same bytes of the device and of the oracle.
type pair struct {
	what      string
	got, want []byte
	gone      bool // got holds something else by now
}

// both joins what the device and the oracle said.
func both(got, want error) error {
	if want != nil {
		want = fmt.Errorf("oracle: %w", want)
	}
	return errors.Join(got, want)
}

func (s *shadowStream) CopyToDevice(dst kernels.Addr, src []byte) error {
	return both(s.of.CopyToDevice(dst, src), s.oracle.CopyToDevice(s.d.twin(dst), s.source(src)))
}

// source is what the oracle copies to its device: what its own stream will have
// brought to that host memory by then, or the bytes as they are now, since the
// oracle runs later.
func (s *shadowStream) source(src []byte) []byte {
	for i := len(s.pairs) - 1; i >= 0; i-- {
		p := &s.pairs[i]
		if at := address(src) - address(p.got); at < uintptr(len(p.got)) && uintptr(len(src)) <= uintptr(len(p.got))-at {
			return p.want[at:][:len(src)]
		}
	}
	return bytes.Clone(src)
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

func (s *shadowStream) CopyToHost(dst []byte, src kernels.Addr) error {
	return s.compare("copy to the host", dst, src)
}

// compare brings the bytes of the device to got, and notes to compare them. What
// was to be brought to the same memory before will be gone by then.
func (s *shadowStream) compare(what string, got []byte, src kernels.Addr) error {
	want := make([]byte, len(got))
	for i := range s.pairs {
		p := &s.pairs[i]
		if address(got) < address(p.got)+uintptr(len(p.got)) && address(p.got) < address(got)+uintptr(len(got)) {
			p.gone = true
		}
	}
	s.pairs = append(s.pairs, pair{what: what, got: got, want: want})
	return both(s.of.CopyToHost(got, src), s.oracle.CopyToHost(want, s.d.twin(src)))
}

func (s *shadowStream) CopyDevice(dst, src kernels.Addr, size uint64) error {
	return both(s.of.CopyDevice(dst, src, size), s.oracle.CopyDevice(s.d.twin(dst), s.d.twin(src), size))
}

func (s *shadowStream) Memset(dst kernels.Addr, value byte, size uint64) error {
	return both(s.of.Memset(dst, value, size), s.oracle.Memset(s.d.twin(dst), value, size))
}

func (s *shadowStream) Launch(k kernels.Kernel, grid kernels.Grid, args kernels.Args) error {
	own, ok := k.(*shadowKernel)
	if !ok {
		return kernels.ErrForeign
	}
	twins := args
	for i, kind := range s.d.args[k.Name()] {
		if kind == kernels.Address {
			twins[i] = uint64(s.d.twin(kernels.Addr(args[i])))
		}
	}
	if err := both(s.of.Launch(own.Kernel, grid, args), s.oracle.Launch(own.oracle, grid, twins)); err != nil {
		return err
	}
	if k.Name() != kernels.Reset && k.Name() != kernels.Step {
		return nil
	}
	s.d.mu.Lock()
	s.d.steps++
	s.d.mu.Unlock()
	l := s.d.layout
	what := fmt.Sprintf("%s of step %d", k.Name(), args[3])
	for _, area := range []struct {
		name         string
		offset, size uint64
	}{
		{"control block", l.ControlOffset, abi.ControlSize},
		{"slots", l.SlotsOffset, uint64(len(l.Slots)) * abi.SlotSize},
		{"extents", l.ExtentsOffset, abi.ExtentsSize(len(l.Slots))},
	} {
		if err := s.compare(what+": "+area.name, make([]byte, area.size), kernels.Addr(args[0]+area.offset)); err != nil {
			return err
		}
	}
	return nil
}

func (s *shadowStream) Record(e kernels.Event) error {
	own, ok := e.(*shadowEvent)
	if !ok {
		return kernels.ErrForeign
	}
	return both(s.of.Record(own.of), s.oracle.Record(own.oracle))
}

func (s *shadowStream) Wait(e kernels.Event) error {
	own, ok := e.(*shadowEvent)
	if !ok {
		return kernels.ErrForeign
	}
	return both(s.of.Wait(own.of), s.oracle.Wait(own.oracle))
}

func (s *shadowStream) Synchronize() error {
	err := both(s.of.Synchronize(), s.oracle.Synchronize())
	for _, p := range s.pairs {
		if err == nil && !p.gone && !bytes.Equal(p.got, p.want) {
			i := 0
			for p.got[i] == p.want[i] {
				i++
			}
			err = fmt.Errorf("%w: %s: at byte %d: %#x, want %#x", ErrDiffers, p.what, i, p.got[i], p.want[i])
		}
	}
	s.pairs = nil
	return err
}

func (s *shadowStream) Close() error { return both(s.of.Close(), s.oracle.Close()) }
