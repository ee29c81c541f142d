package sequences

import "slices"

// shape is what may stand as the value of a key. The decoder and the JSON Schema
// are both made from it.
type shape uint8

const (
	aText          shape = iota // a string
	aName                       // an identifier
	aDotted                     // identifiers joined by dots
	aVersion                    // the format version
	anInteger                   // a whole number
	aNumberFromOne              // a whole number that is not 0
	aBytes                      // a whole number, or a string with a unit
	anAlign                     // a power of two, or a string with a unit
	aSize                       // a size expression
	aCountPlace                 // buffer[index]
	aFlag                       // true or false
	aReuse                      // a policy
	aScope                      // device or host
	someNames                   // a list of dotted names
	someReads                   // the same, with "?"
	nameOrNames                 // one dotted name or a list
	aWindow                     // two numbers of bytes
	aListOf                     // a list of objects
	someArgs                    // a list of identifiers
	aMapOf                      // identifiers to objects
	aBufferMap                  // dotted names to buffers
	aParamMap                   // names to numbers or ranges
	aGroupMap                   // names to lists of names
	aStepList                   // steps and uses of templates
	anObject                    // a map with fixed keys
	aPattern                    // the step of a template
	someValues                  // arguments of a template
	manyValues                  // a list of those
	aBudget                     // a size expression, or a map with a basis
	aBasis                      // typical or worst
	aBudgetMap                  // patterns of names of steps to budgets
)

// key is one key of an object of the format.
type key struct {
	name     string
	doc      string
	shape    shape
	of       *object // aMapOf, aListOf, aBufferMap, anObject
	required bool
}

// object is a map with fixed keys.
type object struct {
	what string // as the schema names it
	doc  string
	keys []key
}

func (o *object) find(name string) *key {
	for i := range o.keys {
		if o.keys[i].name == name {
			return &o.keys[i]
		}
	}
	return nil
}

func (o *object) names() []string {
	var names []string
	for _, k := range o.keys {
		names = append(names, k.name)
	}
	return names
}

// format holds the objects of the format. It is made by newFormat, so that no
// state of the package can be changed.
type format struct {
	root, scope, param, typ, count, gap, shrink, input, write, scratch, step, use, template object

	budgets, poolBudgets, classBudgets, budget object
}

func newFormat() *format {
	f := &format{}
	f.scope = object{"scope", "Settings of all pools of one scope.", []key{
		{name: "align", shape: anAlign, doc: "Base alignment of every buffer of the scope: a power of two, in bytes. Default 256 for device, 64 for host."},
		{name: "reuse", shape: aReuse, doc: "Which buffers that never live at the same time may share bytes: off, none; stream, those that need no edge between streams; event or on, those that are in order by the edges of the file; internal, the same, and the planner may add edges. Default on."},
		{name: "capacity", shape: aBytes, doc: "Capacity of one worker's pool in bytes, for example 8GiB. None by default."},
	}}
	f.param = object{"param", "A parameter with a range, known at launch.", []key{
		{name: "min", shape: anInteger, required: true, doc: "Smallest value."},
		{name: "max", shape: anInteger, required: true, doc: "Largest value."},
		{name: "batch", shape: aFlag, doc: "Whether this is the batch size. At most one parameter is."},
	}}
	f.typ = object{"type", "An element type that is not built in.", []key{
		{name: "size", shape: aBytes, required: true, doc: "Size of one element in bytes, a multiple of align."},
		{name: "align", shape: anAlign, doc: "Alignment of one element in bytes, a power of two. Default 1."},
		{name: "c", shape: aText, doc: "The C or C++ type that generated headers use."},
		{name: "include", shape: aText, doc: "The header that declares the C type, as behind #include; without brackets it is included with quotes."},
		{name: "go", shape: aText, doc: "The Go type: import/path.Type."},
	}}
	f.count = object{"count", "An integer that a step leaves in device memory.", []key{
		{name: "at", shape: aCountPlace, required: true, doc: "Where it lies: buffer[index]. The buffer is a device buffer of unsigned integers; the index is an expression of parameters, in elements."},
		{name: "max", shape: aSize, doc: "The largest value, an expression of parameters. A larger count makes the batch fail."},
		{name: "typical", shape: aSize, doc: "A typical value, an expression of parameters."},
	}}
	f.gap = object{"gap", "A part of the life of a buffer in which its bytes may be lent.", []key{
		{name: "after", shape: aDotted, required: true, doc: "A step that uses the buffer; the gap starts behind it."},
		{name: "before", shape: aDotted, required: true, doc: "A later step that uses the buffer; the gap ends there."},
		{name: "window", shape: aWindow, doc: "The bytes [low, high) that stay in use in the gap. None by default."},
	}}
	f.shrink = object{"shrink", "What is left in use of a buffer, from a step on.", []key{
		{name: "after", shape: aDotted, required: true, doc: "A step that uses the buffer; those behind it use its first elements only."},
		{name: "count", shape: aSize, required: true, doc: "Number of elements that stay in use, an expression of parameters."},
	}}
	base := []key{
		{name: "type", shape: aName, required: true, doc: "Element type: u8 u16 u32 u64 i8 i16 i32 i64 f16 bf16 f32 f64 bool ptr, or a name under types."},
		{name: "count", shape: aSize, required: true, doc: "Number of elements: an integer or a size expression."},
		{name: "scope", shape: aScope, doc: "The memory that it lives in. Default device."},
		{name: "align", shape: anAlign, doc: "At least this alignment, a power of two, in bytes."},
		{name: "views", shape: someNames, doc: "Buffers that this one holds pointers into; they live at least as long."},
		{name: "in_place_of", shape: aDotted, doc: "A buffer that this step reads for the last time, and whose storage this one takes over."},
		{name: "optional", shape: aFlag, doc: "Whether the buffer is dropped if nothing uses it."},
		{name: "keep", shape: aFlag, doc: "Whether the buffer is persistent: never reused, its bytes survive between batches."},
		{name: "group", shape: nameOrNames, doc: "A group, or a list of groups, that it joins."},
		{name: "offset", shape: aBytes, doc: "Its only place, in bytes from the start of the packed area of its pool; a multiple of its alignment. Static buffers only."},
		{name: "hint", shape: aBytes, doc: "Its place if that costs nothing, counted as offset."},
		{name: "gaps", shape: aListOf, of: &f.gap, doc: "Parts of its life in which its bytes may be lent, in order."},
		{name: "shrink", shape: aListOf, of: &f.shrink, doc: "Where it becomes smaller, in order."},
	}
	f.input = object{"input", "A buffer that is filled from outside before step 0.", base}
	f.write = object{"write", "A buffer that a step creates.", base}
	f.scratch = object{"scratch", "A buffer that lives in its step only.", base}
	f.step = object{"step", "One algorithm instance.", []key{
		{name: "name", shape: aDotted, required: true, doc: "Name of the step."},
		{name: "on", shape: aScope, doc: "Where the step runs. Default device."},
		{name: "reads", shape: someReads, doc: "Buffers that it reads. \"name?\" is read if it is declared, else ignored."},
		{name: "writes", shape: aBufferMap, of: &f.write, doc: "Buffers that this step creates, by name."},
		{name: "scratch", shape: aBufferMap, of: &f.scratch, doc: "Buffers that live in this step only, by name."},
		{name: "collect", shape: nameOrNames, doc: "A group, or a list of groups, that everything this step reads and writes (not its scratch) joins."},
		{name: "barrier", shape: nameOrNames, doc: "A group, or a list of groups, of which every member lives at least to this step."},
		{name: "stream", shape: aName, doc: "The stream that a device step runs on. Default main."},
		{name: "after", shape: nameOrNames, doc: "An earlier step of another stream, or a list of them, that must be complete before this one starts."},
	}}
	f.use = object{"use", "Steps made from a template.", []key{
		{name: "use", shape: aName, required: true, doc: "Name of the template."},
		{name: "with", shape: someValues, doc: "Arguments of one step."},
		{name: "for", shape: manyValues, doc: "Arguments of several steps, one map for each."},
	}}
	f.template = object{"template", "A step pattern.", []key{
		{name: "args", shape: someArgs, doc: "Names of the arguments."},
		{name: "step", shape: aPattern, required: true, doc: "A step, in which ${arg} is replaced in every key and every scalar; $${ stands for a literal ${."},
	}}
	f.budget = object{"budget", "A budget with the basis of dynamic sizes.", []key{
		{name: "max", shape: aSize, required: true, doc: "The limit in bytes: a size expression of parameters."},
		{name: "basis", shape: aBasis, doc: "Which size of a dynamic buffer counts: typical, or worst. By default typical where all counts of the buffer have such a value, else worst."},
	}}
	f.poolBudgets = object{"poolBudgets", "Budgets of the static regions of one worker.", []key{
		{name: "device", shape: aSize, doc: "For the device pool, with what the device program needs in it."},
		{name: "host", shape: aSize, doc: "For the host pool."},
	}}
	f.classBudgets = object{"classBudgets", "Budgets of the sums of sizes, for one worker.", []key{
		{name: "static_device", shape: aSize, doc: "For the static device buffers."},
		{name: "static_host", shape: aSize, doc: "For the static host buffers."},
		{name: "dynamic_device", shape: aBudget, doc: "For the dynamic device buffers."},
		{name: "dynamic_host", shape: aBudget, doc: "For the dynamic host buffers."},
	}}
	f.budgets = object{"budgets", "Limits of memory that seqplan check holds the sequence to.", []key{
		{name: "total", shape: aBudget, doc: "For the device memory of all workers: static regions and arenas."},
		{name: "pools", shape: anObject, of: &f.poolBudgets, doc: "For the static regions of one worker, by scope."},
		{name: "arena", shape: aBudget, doc: "For the dynamic device buffers of one worker, rounded as the device does, without reuse."},
		{name: "classes", shape: anObject, of: &f.classBudgets, doc: "For the sums of sizes of the classes."},
		{name: "algorithms", shape: aBudgetMap, doc: "For the sums of sizes of all buffers that steps declare, by the name of a step or a pattern, in which * stands for a run of characters."},
	}}
	f.root = object{"sequence", "A sequence of seqplan.", []key{
		{name: "seqplan", shape: aVersion, required: true, doc: "Format version: 1."},
		{name: "name", shape: aName, required: true, doc: "Name of the sequence, the prefix of generated C names."},
		{name: "device", shape: anObject, of: &f.scope, doc: "Settings of device memory."},
		{name: "host", shape: anObject, of: &f.scope, doc: "Settings of host memory."},
		{name: "workers", shape: aNumberFromOne, doc: "Worker threads or streams per device, each with its own pools. Default 1."},
		{name: "params", shape: aParamMap, doc: "Parameters and properties by name: a range, or an integer for a constant."},
		{name: "types", shape: aMapOf, of: &f.typ, doc: "Element types that are not built in, by name."},
		{name: "counts", shape: aMapOf, of: &f.count, doc: "Integers that a step leaves in device memory, by name."},
		{name: "groups", shape: aGroupMap, doc: "Named sets of buffers: a list of buffers for each name."},
		{name: "inputs", shape: aBufferMap, of: &f.input, doc: "Buffers filled from outside before step 0, by name."},
		{name: "templates", shape: aMapOf, of: &f.template, doc: "Step patterns, by name."},
		{name: "steps", shape: aStepList, required: true, doc: "The steps, in order."},
		{name: "outputs", shape: someNames, doc: "Buffers that live to the end and are read back."},
		{name: "budgets", shape: anObject, of: &f.budgets, doc: "Limits of memory that seqplan check holds the sequence to."},
	}}
	return f
}

// Keys returns the name of every key of the format, without duplicates.
func Keys() []string {
	f := newFormat()
	var names []string
	for _, o := range []*object{&f.root, &f.scope, &f.param, &f.typ, &f.count, &f.gap, &f.shrink, &f.write, &f.step, &f.use, &f.template, &f.budgets, &f.poolBudgets, &f.classBudgets, &f.budget} {
		for _, k := range o.keys {
			if !slices.Contains(names, k.name) {
				names = append(names, k.name)
			}
		}
	}
	return names
}
