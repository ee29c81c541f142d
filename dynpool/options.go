package dynpool

import "github.com/seqplan/seqplan/staticpool"

// Option changes how Open works.
type Option func(*options)

type options struct {
	staticpool.Options
	reuse  *bool
	faults *FaultPlan
}

// WithCapacity sets the bytes of the whole device pool: static region and arena.
// Without it and WithArena the arena is empty.
func WithCapacity(bytes uint64) Option { return func(o *options) { o.Capacity = bytes } }

// WithArena sets the bytes of the arena; the device pool is as large as that needs.
// WithCapacity takes precedence.
func WithArena(bytes uint64) Option { return func(o *options) { o.Arena = bytes } }

// WithHostCapacity limits the bytes of the host pool, dynamic host buffers
// included. Without it they grow as they need.
func WithHostCapacity(bytes uint64) Option { return func(o *options) { o.HostCapacity = bytes } }

// WithReuse sets the arena mode, which the planner has chosen otherwise: with
// reuse the memory of a released buffer serves later ones, without it (the mode
// bump) not before the next batch.
func WithReuse(reuse bool) Option { return func(o *options) { o.reuse = &reuse } }

// WithFaults makes allocations fail on purpose, to test what follows from that.
func WithFaults(plan FaultPlan) Option { return func(o *options) { o.faults = &plan } }
