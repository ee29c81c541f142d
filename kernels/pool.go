package kernels

import (
	"fmt"
	"strconv"
)

// PoolDevice is a Device whose driver may have stream-ordered memory pools of its
// own.
type PoolDevice interface {
	Device

	// NewPool makes a pool. It is ErrNotSupported where the driver or the device has
	// none, or none with these properties.
	NewPool(PoolProps) (Pool, error)
}

// Pool is a stream-ordered memory pool. Its methods are safe for concurrent use,
// but for the streams that they are given.
type Pool interface {
	// MallocAsync returns size > 0 bytes that work queued in the stream from now on
	// may use.
	MallocAsync(size uint64, s Stream) (Addr, error)
	// FreeAsync gives memory back once the work has run that is queued in the stream.
	FreeAsync(addr Addr, s Stream) error
	// TrimTo gives memory back to the device until the pool holds no more than about
	// minBytes. It gives back nothing below that, and nothing that work may be using.
	TrimTo(minBytes uint64) error
	SetAttr(attr PoolAttr, value uint64) error
	GetAttr(attr PoolAttr) (uint64, error)
	Destroy() error
}

// PoolProps are what a pool is created with.
type PoolProps struct {
	AllocType  PoolAllocType
	HandleType PoolHandleType
	Location   PoolLocation
	MaxSize    uint64 // bytes that the pool may hold; 0: what the device gives
}

// Check returns an ErrPoolProps that names a property which no back end can give, or a
// device that is not the one with the ordinal.
func (p PoolProps) Check(device int32) error {
	bad := func(what string, got, want any) error {
		return fmt.Errorf("%w: %s %d, not %d", ErrPoolProps, what, got, want)
	}
	switch {
	case p.AllocType != PoolPinned:
		return bad("allocation type", p.AllocType, PoolPinned)
	case p.HandleType != PoolHandleNone:
		return bad("handle type", p.HandleType, PoolHandleNone)
	case p.Location.Type != PoolOnDevice:
		return bad("location type", p.Location.Type, PoolOnDevice)
	case p.Location.ID != device:
		return bad("location id", p.Location.ID, device)
	}
	return nil
}

// PoolAllocType is the kind of memory of a pool. The number is that of CUDA.
type PoolAllocType uint32

// PoolPinned is the only kind of memory that drivers offer.
const PoolPinned PoolAllocType = 1

// PoolHandleType is how memory of a pool is shared with other processes. The number
// is that of the drivers.
type PoolHandleType uint32

// PoolHandleNone: not at all.
const PoolHandleNone PoolHandleType = 0

// PoolLocation is where the memory of a pool lies.
type PoolLocation struct {
	Type PoolLocationType
	ID   int32 // of a device: its ordinal
}

// PoolLocationType is the kind of a place. The number is that of both CANN and CUDA
// for devices.
type PoolLocationType uint32

// The kinds of places.
const (
	PoolHost     PoolLocationType = 0
	PoolOnDevice PoolLocationType = 1
)

// PoolAttr is an attribute of a pool. The numbers are those of
// CUmemPool_attribute and aclrtMemPoolAttr.
type PoolAttr uint32

// The attributes. The first three are 0 or 1; the others are bytes. Reserved is what
// the pool holds of the device, used is what its users hold of that.
const (
	PoolReuseFollowEventDependencies   PoolAttr = 1
	PoolReuseAllowOpportunistic        PoolAttr = 2
	PoolReuseAllowInternalDependencies PoolAttr = 3
	PoolReleaseThreshold               PoolAttr = 4
	PoolReservedCurrent                PoolAttr = 5 // read-only
	PoolReservedHigh                   PoolAttr = 6 // only 0 may be written: begin again
	PoolUsedCurrent                    PoolAttr = 7 // read-only
	PoolUsedHigh                       PoolAttr = 8 // only 0 may be written: begin again
)

var poolAttrNames = [...]string{
	PoolReuseFollowEventDependencies:   "reuse_follow_event_dependencies",
	PoolReuseAllowOpportunistic:        "reuse_allow_opportunistic",
	PoolReuseAllowInternalDependencies: "reuse_allow_internal_dependencies",
	PoolReleaseThreshold:               "release_threshold",
	PoolReservedCurrent:                "reserved_mem_current",
	PoolReservedHigh:                   "reserved_mem_high",
	PoolUsedCurrent:                    "used_mem_current",
	PoolUsedHigh:                       "used_mem_high",
}

// String returns the name of the attribute, or its number if there is none.
func (a PoolAttr) String() string {
	if a > 0 && int(a) < len(poolAttrNames) {
		return poolAttrNames[a]
	}
	return "attribute " + strconv.FormatUint(uint64(a), 10)
}

// Switch reports whether the attribute is 0 or 1, which drivers keep in 32 bits; the
// others have 64.
func (a PoolAttr) Switch() bool {
	return a >= PoolReuseFollowEventDependencies && a <= PoolReuseAllowInternalDependencies
}

// Check returns an ErrPoolAttr if there is no such attribute.
func (a PoolAttr) Check() error {
	if a < PoolReuseFollowEventDependencies || a > PoolUsedHigh {
		return fmt.Errorf("%w: there is no %s", ErrPoolAttr, a)
	}
	return nil
}

// CheckSet returns an ErrPoolAttr if the attribute cannot be set to a value.
func (a PoolAttr) CheckSet(value uint64) error {
	why := ""
	switch {
	case a.Check() != nil:
		return a.Check()
	case a == PoolReservedCurrent || a == PoolUsedCurrent:
		why = "it is read-only"
	case (a == PoolReservedHigh || a == PoolUsedHigh) && value != 0:
		why = "it takes 0 only, to begin again"
	case a.Switch() && value > 1:
		why = "it takes 0 or 1"
	default:
		return nil
	}
	return fmt.Errorf("%w: %s cannot be set to %d: %s", ErrPoolAttr, a, value, why)
}
