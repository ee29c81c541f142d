package sequences

import (
	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences/expr"
)

// Aliases, so that users of the reader can name what it returns.
type (
	// Diagnostic is one finding in a sequence file.
	Diagnostic = diag.Diagnostic
	// Diagnostics is a list of findings; it implements error.
	Diagnostics = diag.List
	// Pos is a place in a sequence file.
	Pos = diag.Pos
)

// Typed ids. Each is the index of its object in the slice of the Sequence.
type (
	ParamID  int
	TypeID   int
	CountID  int
	BufferID int
	StepID   int
	GroupID  int
	StreamID int
)

// None is the id of nothing: the writer of an input, the base of a buffer that
// shares no storage.
const None = -1

// Bytes is a number of bytes.
type Bytes uint64

// Scope is the memory that a buffer lives in.
type Scope uint8

// The scopes.
const (
	Device Scope = iota // device memory
	Host                // pinned host memory
)

func (s Scope) String() string {
	if s == Host {
		return "host"
	}
	return "device"
}

// Sequence is a checked sequence file: every reference is resolved, templates
// are expanded, optional buffers that nothing uses are gone. It is immutable.
// All slices are in file order; Buffers holds the inputs first, then for each
// step its writes and its scratch.
type Sequence struct {
	Name    string
	File    string // as given to the reader, for messages only
	Device  ScopeOptions
	Host    ScopeOptions
	Workers int      // worker threads or streams per device, each with its own pools; at least 1
	Streams []string // names, in order of first use; at least one
	Params  []Param
	Batch   ParamID // the parameter that is the batch size; None if no parameter has a range
	Types   []Type
	Counts  []Count
	Buffers []Buffer
	Steps   []Step
	Groups  []Group
	Outputs []BufferID
	Budgets []Budget // the declared capacities of the scopes, then the budgets in the order of the file
}

// Scope returns the options of one scope.
func (s *Sequence) Scope(scope Scope) ScopeOptions {
	if scope == Host {
		return s.Host
	}
	return s.Device
}

// ScopeOptions are the settings of all pools of one scope.
type ScopeOptions struct {
	Align    Bytes // base alignment of every buffer, a power of two
	Reuse    Reuse // which buffers may share bytes
	Capacity Bytes // declared capacity of one worker's pool; 0 = not declared
}

// Reuse says which buffers that never live at the same time may share bytes.
// With one stream ReuseStream, ReuseEvent and ReuseInternal are the same.
type Reuse uint8

// The reuse policies.
const (
	ReuseEvent    Reuse = iota // those of which one comes before the other in the order of streams and after edges
	ReuseOff                   // none
	ReuseStream                // those that one stream alone uses, or that are ordered without any edge
	ReuseInternal              // as ReuseEvent, and the planner may add edges where that saves memory
)

func (r Reuse) String() string {
	names := [...]string{"event", "off", "stream", "internal"}
	if int(r) < len(names) {
		return names[r]
	}
	return "unknown"
}

// Param is an integer known on the host at launch. A property has Min == Max.
type Param struct {
	ID       ParamID
	Name     string
	Min, Max uint64
	Pos      Pos
}

// Fixed reports whether the parameter is a property with one value.
func (p Param) Fixed() bool { return p.Min == p.Max }

// Type is an element type.
type Type struct {
	ID       TypeID
	Name     string
	Size     Bytes
	Align    Bytes  // a power of two that divides Size
	C        string // C or C++ type; empty if none was declared
	Include  string // header that declares C; may be empty
	Go       string // "import/path.Type"; empty if none was declared
	Builtin  bool
	Unsigned bool // an unsigned integer: may hold counts
	Pos      Pos
}

// Count is an integer that a step leaves in device memory at At[Index].
type Count struct {
	ID      CountID
	Name    string
	At      BufferID   // its element type is an unsigned integer
	Index   *expr.Node // static: parameters only, in elements of At
	Max     *expr.Node // static bound; nil if not declared
	Typical *expr.Node // static; nil if not declared
	Pos     Pos
}

// Kind tells where a buffer is declared, and so when it is first written.
type Kind uint8

// The kinds of buffers.
const (
	Input   Kind = iota // filled from outside before step 0
	Write               // written by its step
	Scratch             // lives in its step only
)

func (k Kind) String() string { return [...]string{"input", "write", "scratch"}[k] }

// Buffer is a named array.
type Buffer struct {
	ID        BufferID
	Name      string
	Kind      Kind
	Scope     Scope
	Type      TypeID
	Count     *expr.Node // number of elements; leaves are Lit, Param, Count, CountOf
	CountText string     // the expression as written
	CountPos  Pos        // where that stands, in a template one place for all of its instances
	Align     Bytes      // effective: at least the scope's and the type's; a power of two
	Step      StepID     // the step that declares it; None for an input
	Views     []BufferID // it holds pointers into these, which live at least as long
	InPlaceOf BufferID   // shares storage with this one, which dies in Step; else None
	Offset    *Bytes     // static: its only place, from the start of the packed area of its pool; nil: any
	Hint      *Bytes     // static: where it is placed if that costs nothing, counted as Offset; nil: none
	Gaps      []Gap      // parts of its life in which its bytes may be lent, in order of steps, disjoint
	Shrinks   []Shrink   // in order of steps
	Keep      bool       // persistent: never reused, survives between batches
	Output    bool
	Groups    []GroupID
	Pos       Pos
}

// Gap is a part of the life of a buffer, the steps between After and Before, in
// which only its bytes [Low, High) stay in use: none of them if Low == High.
type Gap struct {
	After, Before StepID // both use the buffer, and no step of the gap does
	Low, High     Bytes
	Pos           Pos
}

// Shrink gives back the end of a buffer: the steps behind After use its first
// Count elements only.
type Shrink struct {
	After     StepID
	Count     *expr.Node // static
	CountText string     // the expression as written
	Pos       Pos
}

// Step is one algorithm instance.
type Step struct {
	ID       StepID
	Name     string
	Host     bool     // runs on the host ("on: host"), else on the device
	Stream   StreamID // 0 for a host step, which is behind all earlier steps and before all later ones
	After    []StepID // of other streams, that are complete before it starts; ascending, all before it in the file
	Reads    []BufferID
	Writes   []BufferID
	Scratch  []BufferID
	Barriers []GroupID // keeps every member of these groups alive up to here
	Template string    // that it is an instance of; empty if it is none
	Pos      Pos
}

// Group is a named set of buffers.
type Group struct {
	ID      GroupID
	Name    string
	Members []BufferID // in file order, without duplicates
	Pos     Pos
}
