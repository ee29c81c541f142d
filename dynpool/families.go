package dynpool

// families are the metrics, in the order that they are written in.
func families() []family {
	return []family{
		gauge("seqplan_pools", "", "Pools of workers.", func(s *Stats) uint64 { return s.Pools }),
		count("seqplan_batches", "Batches that have ended, failed ones included.", func(s *Stats) uint64 { return s.Batches }),
		{name: "seqplan_failures", help: "Batches that failed, by what failed first.", counter: true, samples: failures},
		count("seqplan_injected_faults", "Batches that a fault plan made to fail.", func(s *Stats) uint64 { return s.Injected }),
		count("seqplan_synchronizations", "Times that a batch waited for the device.", func(s *Stats) uint64 { return s.Syncs }),
		count("seqplan_runs", "Ranges of events that ran, failed ones included.", func(s *Stats) uint64 { return s.Runs }),
		count("seqplan_events", "Events that ran.", func(s *Stats) uint64 { return s.Events }),
		count("seqplan_splits", "Times that a range of events was halved.", func(s *Stats) uint64 { return s.Splits }),
		count("seqplan_retries", "Times that a range of events ran again as it was.", func(s *Stats) uint64 { return s.Retries }),
		count("seqplan_unfit_events", "Events that fit no arena even alone.", func(s *Stats) uint64 { return s.Unfit }),
		bytes("seqplan_arena_capacity_bytes", "Size of an arena.", func(s *Stats) uint64 { return s.Capacity }),
		bytes("seqplan_arena_high_water_bytes", "Largest part of an arena that was in use.", func(s *Stats) uint64 { return s.HighWater }),
		bytes("seqplan_arena_demand_bytes", "Largest demand of a batch.", func(s *Stats) uint64 { return s.Demand }),
		bytes("seqplan_host_high_water_bytes", "Largest dynamic host memory of a batch.", func(s *Stats) uint64 { return s.HostHighWater }),
		bytes("seqplan_device_memory_bytes", "Device memory held.", func(s *Stats) uint64 { return s.DeviceBytes }),
		bytes("seqplan_host_memory_bytes", "Pinned host memory held.", func(s *Stats) uint64 { return s.HostBytes }),
	}
}

func gauge(name, unit, help string, value func(*Stats) uint64) family {
	return family{name: name, unit: unit, help: help, samples: func(s *Stats) []sample { return []sample{{value: value(s)}} }}
}

func bytes(name, help string, value func(*Stats) uint64) family {
	return gauge(name, "bytes", help, value)
}

func count(name, help string, value func(*Stats) uint64) family {
	f := gauge(name, "", help, value)
	f.counter = true
	return f
}

func failures(s *Stats) []sample {
	f := &s.Failures
	return []sample{
		{"exhausted", f.Exhausted}, {"count", f.Count}, {"arithmetic", f.Arithmetic}, {"program", f.Program}, {"other", f.Other},
	}
}
