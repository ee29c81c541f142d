package tally

import (
	"sync"

	"github.com/seqplan/seqplan/kernels"
)

// Tally counts what goes through streams.
type Tally struct {
	Waits          uint64 `json:"synchronizations"`
	Launches       uint64 `json:"launches"`
	CopiesToHost   uint64 `json:"copies_to_host"`
	BytesToHost    uint64 `json:"bytes_to_host"`
	CopiesToDevice uint64 `json:"copies_to_device"`
	BytesToDevice  uint64 `json:"bytes_to_device"`
}

// add adds the counts of another stream.
func (t *Tally) add(o Tally) {
	t.Waits += o.Waits
	t.Launches += o.Launches
	t.CopiesToHost += o.CopiesToHost
	t.BytesToHost += o.BytesToHost
	t.CopiesToDevice += o.CopiesToDevice
	t.BytesToDevice += o.BytesToDevice
}

// Device is a device that counts. It implements kernels.PoolDevice, so that pools of
// the driver are found behind it.
type Device struct {
	kernels.Device

	mu          sync.Mutex
	streams     []*stream // all that were made
	events      Tally     // waits for events
	allocations uint64
}

var _ kernels.PoolDevice = (*Device)(nil)

// New returns a device that counts what it asks of another.
func New(dev kernels.Device) *Device { return &Device{Device: dev} }

// Total returns what went through all streams since the last Reset. Streams count
// without locks: none may be in use meanwhile.
func (d *Device) Total() Tally {
	d.mu.Lock()
	defer d.mu.Unlock()
	sum := d.events
	for _, s := range d.streams {
		sum.add(s.tally)
	}
	return sum
}

// Reset starts to count streams from zero. None may be in use meanwhile.
func (d *Device) Reset() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.events = Tally{}
	for _, s := range d.streams {
		s.tally = Tally{}
	}
}

// Allocations returns how often device memory was asked for and given, of the device
// and of pools of its driver, since New.
func (d *Device) Allocations() uint64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.allocations
}

// allocated counts an allocation that was made.
func (d *Device) allocated(err error) {
	if err != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.allocations++
}

// Alloc implements kernels.Device.
func (d *Device) Alloc(size uint64) (kernels.Addr, error) {
	addr, err := d.Device.Alloc(size)
	d.allocated(err)
	return addr, err
}
