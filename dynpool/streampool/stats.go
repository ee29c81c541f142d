package streampool

// Stats says what a pool of this package holds and where its allocations came from.
type Stats struct {
	Reserved     uint64 `json:"reserved"`      // bytes that the pool holds of the device
	ReservedHigh uint64 `json:"reserved_high"` // the most of them since the mark was reset
	Used         uint64 `json:"used"`          // bytes of them that are allocated, rounded
	UsedHigh     uint64 `json:"used_high"`     // the most of them since the mark was reset
	Pending      uint64 `json:"pending"`       // free bytes that work may still be using
	Live         int    `json:"live"`          // allocations
	Regions      int    `json:"regions"`

	Grown     uint64 `json:"grown"`      // regions taken of the device
	GivenBack uint64 `json:"given_back"` // regions given back
	HostWaits uint64 `json:"host_waits"` // times that an allocation waited for work

	// Allocations by where they came from; the rest came from new regions.
	FromStream      uint64 `json:"from_stream"`      // freed in the same stream
	FromFinished    uint64 `json:"from_finished"`    // free without condition: the host knew that the work had finished, or there was none
	FromEvent       uint64 `json:"from_event"`       // freed before an event that the stream waits for
	FromOpportunity uint64 `json:"from_opportunity"` // freed in work that the device was found to have finished
	FromDependency  uint64 `json:"from_dependency"`  // freed in another stream, which the stream now waits for
	FromRun         uint64 `json:"from_run"`         // several of these that lay side by side
}

func (s *Stats) grown(size uint64) {
	s.Reserved += size // at most the maximum of the pool
	s.ReservedHigh = max(s.ReservedHigh, s.Reserved)
	s.Grown++
}

func (s *Stats) shrunk(size uint64) {
	s.Reserved -= size
	s.GivenBack++
}

func (s *Stats) allocated(size uint64) {
	s.Used += size
	s.UsedHigh = max(s.UsedHigh, s.Used)
}

func (s *Stats) freed(size uint64) { s.Used -= size }

// Available returns how many bytes the pool holds that are not in use.
func (s Stats) Available() uint64 { return s.Reserved - min(s.Used, s.Reserved) }

// Stats returns the account of the pool. That of a pool of the driver is zero; see
// GetAttr.
func (p *Pool) Stats() Stats {
	p.r.mu.Lock()
	defer p.r.mu.Unlock()
	p.free.finish(p.r.done)
	s := p.stats
	s.Pending = p.free.pending()
	s.Live = len(p.live)
	s.Regions = len(p.free.space.Regions())
	return s
}

// outOfMemory describes the pool as it is.
func (p *Pool) outOfMemory(size, wanted uint64) error {
	return &OutOfMemoryError{
		Size: size, Wanted: wanted, MaxSize: p.props.MaxSize,
		Reserved: p.stats.Reserved, Used: p.stats.Used,
		Largest: p.largestRun(), Pending: p.free.pending(), Cause: p.refused,
	}
}
