package streampool_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/dynpool/streampool"
	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/host"
)

var errInjected = errors.New("injected")

// faulty is a device that counts the calls that matter to a pool, and makes one fail.
type faulty struct {
	*host.Device
	calls, failAt int
	failWith      error
	log           []string
}

func (d *faulty) call(name string) error {
	d.calls++
	d.log = append(d.log, name)
	if d.calls == d.failAt {
		return d.failWith
	}
	return nil
}

func (d *faulty) count(name string) (n int) {
	for _, c := range d.log {
		if c == name {
			n++
		}
	}
	return n
}

func (d *faulty) Alloc(size uint64) (kernels.Addr, error) {
	if err := d.call("Alloc"); err != nil {
		return 0, err
	}
	return d.Device.Alloc(size)
}

func (d *faulty) Free(a kernels.Addr) error { return errors.Join(d.call("Free"), d.Device.Free(a)) }

func (d *faulty) NewEvent() (kernels.Event, error) {
	if err := d.call("NewEvent"); err != nil {
		return nil, err
	}
	e, err := d.Device.NewEvent()
	return &faultyEvent{e, d}, err
}

func (d *faulty) NewStream() (kernels.Stream, error) {
	s, err := d.Device.NewStream()
	return &faultyStream{s, d}, err
}

type faultyEvent struct {
	kernels.Event
	d *faulty
}

func (e *faultyEvent) Query() (bool, error) {
	if err := e.d.call("Query"); err != nil {
		return false, err
	}
	return e.Event.Query()
}

func (e *faultyEvent) Synchronize() error {
	if err := e.d.call("Event.Synchronize"); err != nil {
		return err
	}
	return e.Event.Synchronize()
}

type faultyStream struct {
	kernels.Stream
	d *faulty
}

func (s *faultyStream) Record(e kernels.Event) error {
	if err := s.d.call("Record"); err != nil {
		return err
	}
	return s.Stream.Record(e.(*faultyEvent).Event)
}

func (s *faultyStream) Wait(e kernels.Event) error {
	if err := s.d.call("Wait"); err != nil {
		return err
	}
	return s.Stream.Wait(e.(*faultyEvent).Event)
}

func (s *faultyStream) Synchronize() error {
	if err := s.d.call("Synchronize"); err != nil {
		return err
	}
	return s.Stream.Synchronize()
}

// scenario goes through all the ways to get memory, in a pool of 4 KiB with regions
// of 1 KiB. It stops at the first error, and returns what is allocated.
func scenario(p *streampool.Pool, first, second kernels.Stream, live map[kernels.Addr]bool) error {
	malloc := func(size uint64, s kernels.Stream) (kernels.Addr, error) {
		a, err := p.MallocAsync(size, s)
		if err == nil {
			if live[a] {
				return 0, fmt.Errorf("%#x was given out twice", a)
			}
			live[a] = true
			err = s.Memset(a, 1, size)
		}
		return a, err
	}
	free := func(a kernels.Addr, s kernels.Stream) error {
		err := p.FreeAsync(a, s)
		if err == nil {
			delete(live, a)
		}
		return err
	}
	for round := range 3 {
		a, err := malloc(1024, first)
		if err != nil {
			return err
		}
		b, err := malloc(3072, second)
		if err != nil {
			return err
		}
		if err := free(a, first); err != nil {
			return err
		}
		if a, err = malloc(512, second); err != nil { // waits for the first stream
			return err
		}
		if err := errors.Join(free(a, second), free(b, second)); err != nil {
			return err
		}
		if a, err = malloc(4096, first); err != nil { // exchanges the regions
			return err
		}
		if err := free(a, first); err != nil {
			return err
		}
		if round == 1 {
			if err := p.TrimTo(0); err != nil {
				return err
			}
		}
		if err := first.Synchronize(); err != nil {
			return err
		}
	}
	return second.Synchronize()
}

// TestEveryCallFails: whichever call of the device fails, the error is told, nothing is
// lost or given out twice, and the pool works on.
func TestEveryCallFails(t *testing.T) {
	for _, failure := range []error{errInjected, fmt.Errorf("%w: injected", kernels.ErrOutOfMemory)} {
		for at := 1; ; at++ {
			dev := &faulty{Device: host.New(host.Options{}), failAt: at, failWith: failure}
			r, err := streampool.New(dev, streampool.Options{Region: 1024})
			require.NoError(t, err)
			first, err := r.NewStream()
			require.NoError(t, err)
			second, err := r.NewStream()
			require.NoError(t, err)
			p, err := r.Create(props(4096))
			require.NoError(t, err)
			live := make(map[kernels.Addr]bool)
			err = scenario(p, first, second, live)
			total := dev.calls
			dev.failAt = 0
			name := ""
			if at <= total {
				name = dev.log[at-1]
			}
			what := fmt.Sprintf("call %d, %s, fails with %v", at, name, failure)
			// A query that fails is as one that says no; where there is no memory, other
			// ways may lead to some.
			if err != nil {
				require.ErrorIs(t, err, failure, what)
			} else if at <= total && failure == errInjected {
				require.Equal(t, "Query", name, what)
			}

			require.NoError(t, errors.Join(first.Synchronize(), second.Synchronize()), what)
			for a := range live {
				require.NoError(t, p.FreeAsync(a, first), what)
				delete(live, a)
			}
			require.NoError(t, p.TrimTo(0), what)
			require.NoError(t, scenario(p, first, second, live), what)
			require.NoError(t, p.Destroy(), what)
			require.NoError(t, errors.Join(first.Close(), second.Close()), what)
			require.NoError(t, r.Detach(), what)
			require.Equal(t, host.Live{}, dev.Live(), what)
			require.NoError(t, r.Close())
			if at > total {
				require.Greater(t, total, 30)
				break
			}
		}
	}
}

// TestLostMarker: where the event behind a free cannot be recorded again, what was freed
// before is not taken for free until the stream was waited for.
func TestLostMarker(t *testing.T) {
	dev := &faulty{Device: host.New(host.Options{}), failWith: errInjected}
	r, err := streampool.New(dev, streampool.Options{Region: 256})
	require.NoError(t, err)
	s, err := r.NewStream()
	require.NoError(t, err)
	other, err := r.NewStream()
	require.NoError(t, err)
	p, err := r.Create(props(100 * 256))
	require.NoError(t, err)
	var all []kernels.Addr
	for range 65 {
		a, err := p.MallocAsync(256, s)
		require.NoError(t, err)
		all = append(all, a)
	}
	for i, a := range all {
		work(t, s, a)
		if i < 64 {
			require.NoError(t, p.FreeAsync(a, s))
			continue
		}
		dev.failAt = dev.calls + 1
		require.ErrorIs(t, p.FreeAsync(a, s), errInjected)
	}
	require.Equal(t, "Record", dev.log[len(dev.log)-1])
	require.Equal(t, 1, p.Stats().Live)
	for range 100 - 2 { // 35 were never used; of 64 that were freed all but the last have an event
		a, err := p.MallocAsync(256, other)
		require.NoError(t, err)
		require.NotContains(t, all[63:], a)
		require.NoError(t, other.Memset(a, 1, 1))
	}
	_, err = p.MallocAsync(256, other)
	require.ErrorIs(t, err, kernels.ErrOutOfMemory)
	require.ErrorContains(t, err, "256 wait for work")
	require.NoError(t, s.Synchronize())
	_, err = p.MallocAsync(256, other)
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, other.Close())
	require.ErrorIs(t, r.Close(), kernels.ErrInUse)
}
