package sequences

import (
	"fmt"

	"github.com/seqplan/seqplan/internal/diag"
)

// file is what is declared in a sequence file, before references are resolved.
// Indexes count everything declared, also what is dropped later.
type file struct {
	*decoder
	lost       lostNames
	unresolved bool // a buffer or a group is unknown

	exprText int // bytes of expressions so far

	name    string
	scopes  [2]ScopeOptions // by Scope
	workers int
	batch   ParamID
	params  []Param
	types   []Type
	counts  []countDecl
	buffers []bufferDecl
	steps   []stepDecl
	groups  []groupDecl
	outputs []bufferRef
	streams []string // in order of first use
	budgets []budgetDecl

	paramSpace, typeSpace, countSpace, bufferSpace, stepSpace, groupSpace, streamSpace space
}

type countDecl struct {
	name                *node
	atBuffer            int // None if it is not known
	atNode              *node
	index, max, typical *size // nil if absent
}

type bufferDecl struct {
	name           *node
	kind           Kind
	step           int // None for an input
	scope          Scope
	typ            int // None if it is not known
	count          *size
	align          uint64 // as written; 0 if absent
	views          []bufferRef
	inPlace        *bufferRef
	optional, keep bool
	keepNode       *node
	groupNames     []*node
	output         bool

	offset, hint *uint64
	gaps         []gapDecl
	shrinks      []shrinkDecl
	special      []specialKey

	viewNodes   []*node
	inPlaceNode *node
	countText   string
}

type stepDecl struct {
	name             *node
	host             bool
	stream           StreamID
	afterNodes       []*node
	after            []StepID // ascending
	unordered        bool     // a fault hides where the step runs
	readNodes        []*node
	reads            []bufferRef
	writes, scratch  []int
	collect, barrier []*node
	barriers         []int
}

type groupDecl struct {
	name    *node
	listed  []*node // under groups
	members []int   // in file order, without duplicates
	inFile  []bufferRef
}

// bufferRef is a resolved reference to a buffer.
type bufferRef struct {
	node *node
	id   int
}

// buffer names a buffer for messages.
func (f *file) bufferName(id int) string { return f.buffers[id].name.value }

// stepName names a step for messages; an input has none.
func (f *file) stepName(id int) string {
	if id < 0 {
		return "the inputs"
	}
	return fmt.Sprintf("step %q", f.steps[id].name.value)
}

// decodeRoot reads everything but templates, which are expanded already.
func (f *file) decode(root fields, steps []*node) {
	f.name = f.sequenceName(root.get("name"))
	f.decodeVersion(root.get("seqplan"))
	f.scopes[Device] = f.decodeScope(root.get("device"), "device", 256)
	f.scopes[Host] = f.decodeScope(root.get("host"), "host", 64)
	f.workers = 1
	if v, ok := f.integer(root.get("workers"), `"workers"`, number{1, maxWorkers, false}); ok {
		f.workers = int(v)
	}
	f.decodeParams(root.get("params"))
	f.decodeTypes(root.get("types"))
	f.decodeCounts(root.get("counts"))
	f.declareListedGroups(root.get("groups"))
	f.decodeBuffers(root.get("inputs"), `"inputs"`, Input, None)
	for _, n := range steps {
		f.decodeStep(n)
	}
	if len(f.streams) == 0 { // all steps are on the host
		f.declareStream(&node{value: mainStream})
	}
	for _, n := range f.names(root.get("outputs"), `"outputs"`) {
		f.outputs = append(f.outputs, bufferRef{n, None})
	}
	f.decodeBudgets(root.get("budgets"))
}

func (f *file) sequenceName(n *node) string {
	if n == nil {
		return ""
	}
	name, ok := f.decoder.text(n, `"name"`)
	if ok {
		f.checkName(n, "sequence")
	}
	return name
}

func (f *file) decodeVersion(n *node) {
	if n == nil {
		return
	}
	if v, ok := f.integer(n, `"seqplan"`, anyNumber); ok && v != formatVersion {
		f.hinted(n.place(), CodeVersion, fmt.Sprintf("this reader knows version %d", formatVersion), "format version %d is not supported", v)
	}
}

// formatVersion is the version of the format.
const formatVersion = 1

func (f *file) decodeScope(n *node, name string, align uint64) ScopeOptions {
	out := ScopeOptions{Align: Bytes(align)}
	if n == nil {
		return out
	}
	what := fmt.Sprintf("%q", name)
	o, ok := f.object(n, &f.format.scope, what, n.place())
	if !ok {
		return out
	}
	if a := f.align(o.get("align"), of("align", what)); a > 0 {
		out.Align = Bytes(a)
	}
	out.Reuse = f.reuse(o.get("reuse"), of("reuse", what))
	if v, ok := f.integer(o.get("capacity"), of("capacity", what), anyBytes); ok {
		out.Capacity = Bytes(v)
		f.declareCapacity(name, o, out.Capacity)
	}
	return out
}

// reuse reads a policy; some writers of YAML turn on and off into true and false.
func (f *file) reuse(n *node, what string) Reuse {
	if n != nil && n.kind == scalarNode && n.tag == "!!bool" {
		if f.flag(n, what) {
			return ReuseEvent
		}
		return ReuseOff
	}
	words := []string{"on", "off", "stream", "event", "internal"}
	return []Reuse{ReuseEvent, ReuseOff, ReuseStream, ReuseEvent, ReuseInternal}[f.word(n, what, words...)]
}

// names reads a list of names and refuses duplicates.
func (f *file) names(n *node, what string) []*node {
	return f.unique(f.list(n, what), what)
}

func (f *file) unique(list []*node, what string) []*node {
	seen := make(map[string]bool, len(list))
	out := list[:0:0]
	for _, n := range list {
		if seen[n.value] {
			f.errorf(n.place(), CodeDuplicateEntry, "%q is twice in %s", n.value, what)
			continue
		}
		seen[n.value] = true
		out = append(out, n)
	}
	return out
}

// unknown reports a name that is not declared, unless a fault that is reported
// already may be the reason.
func (f *file) unknown(at place, code diag.Code, kind, name string, candidates ...[]string) {
	f.unresolved = f.unresolved || code == CodeUnknownBuffer || code == CodeUnknownGroup
	if !f.lost.has(name) && !(code == CodeUnknownGroup && f.lost.groups) {
		f.hinted(at, code, f.nearest(name, candidates...), "unknown %s %q", kind, name)
	}
}
