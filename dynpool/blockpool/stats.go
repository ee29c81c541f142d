package blockpool

// Stats is the account of a pool. The first fields are bytes.
type Stats struct {
	Reserved      uint64 `json:"reserved"`       // of all regions
	ReservedHigh  uint64 `json:"reserved_high"`  // the most that it has been
	Used          uint64 `json:"used"`           // of all blocks, as rounded
	UsedHigh      uint64 `json:"used_high"`      // the most that it has been
	Requested     uint64 `json:"requested"`      // what was asked for of them
	RequestedHigh uint64 `json:"requested_high"` // the most that it has been
	Free          uint64 `json:"free"`           // that blocks can use; the rest is between blocks
	LargestFree   uint64 `json:"largest_free"`   // in one piece
	Trimmable     uint64 `json:"trimmable"`      // in regions that are entirely free

	Blocks      int `json:"blocks"`
	Regions     int `json:"regions"`
	FreeRegions int `json:"free_regions"` // entirely free

	// How often the memory of a block came
	Hits     uint64 `json:"hits"`     // from memory that was freed
	Carved   uint64 `json:"carved"`   // from what remained of a region
	Expanded uint64 `json:"expanded"` // from a further region

	Frees        uint64 `json:"frees"`         // blocks that were freed
	DriverAllocs uint64 `json:"driver_allocs"` // calls of Device.Alloc, failed ones included
	DriverFrees  uint64 `json:"driver_frees"`  // calls of Device.Free, failed ones included
	Waits        uint64 `json:"waits"`         // calls of Options.Wait
}

// Available returns how many bytes of the regions are in no block.
func (s Stats) Available() uint64 { return s.Reserved - min(s.Used, s.Reserved) }

func (s *Stats) allocated(size, requested uint64) {
	s.Used += size
	s.UsedHigh = max(s.UsedHigh, s.Used)
	s.Requested += requested
	s.RequestedHigh = max(s.RequestedHigh, s.Requested)
}

func (s *Stats) freed(size, requested uint64) {
	s.Used -= size
	s.Requested -= requested
}

// Stats returns the account of the pool. It may be called at any time, also after
// Close.
func (p *Pool) Stats() Stats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.account()
}

// account completes the statistics.
func (p *Pool) account() Stats {
	s := p.stats
	s.Blocks, s.Regions = p.live.count, len(p.space.Regions())
	for _, e := range []*piece{p.free.Largest(), p.rest.Largest()} {
		if e != nil {
			s.LargestFree = max(s.LargestFree, e.Size)
		}
	}
	for _, r := range p.space.Regions() {
		if idle(r.First()) {
			s.Trimmable += r.Size
			s.FreeRegions++
		}
	}
	return s
}
