package sequences

import (
	"fmt"
	"regexp"
	"strings"
)

func (f *file) decodeParams(n *node) {
	f.batch = None
	if n != nil && n.kind != mapNode {
		f.lost.all = true
	}
	for _, p := range f.entries(n, `"params"`) {
		what := fmt.Sprintf("parameter %q", p.key.value)
		if !f.checkName(p.key, what) {
			f.lost.add(p.key.value)
		}
		f.checkNotFunction(p.key, what)
		id := len(f.params)
		if id == maxParams {
			f.errorf(p.key.place(), CodeTooMany, "more than %d parameters", maxParams)
			f.lost.all = true
			break
		}
		if !f.paramSpace.add(p.key, id, what, f.reporter) {
			continue
		}
		param := Param{ID: ParamID(id), Name: p.key.value, Pos: p.key.place().Pos}
		f.params = append(f.params, param)
		f.decodeParam(&f.params[id], p, what)
	}
	if f.batch == None {
		f.batch = f.defaultBatch()
	}
}

func (f *file) decodeParam(param *Param, p pair, what string) {
	if p.value.kind == scalarNode {
		v, _ := f.integer(p.value, what, number{0, anyNumber.max, true})
		param.Min, param.Max = v, v
		return
	}
	if p.value.kind != mapNode {
		f.wrongKind(p.value, what, "a whole number or a map with min and max")
		return
	}
	o, _ := f.object(p.value, &f.format.param, what, p.key.place())
	min, okMin := f.integer(o.get("min"), of("min", what), anyNumber)
	max, okMax := f.integer(o.get("max"), of("max", what), anyNumber)
	if okMin && okMax && min > max {
		f.errorf(o.get("min").place(), CodeRange, "the smallest value of %s, %d, is larger than its largest, %d", what, min, max)
	}
	param.Min, param.Max = min, max
	if f.flag(o.get("batch"), of("batch", what)) {
		if f.batch != None {
			f.errorf(o.get("batch").place(), CodeBatchTwice, "%s and parameter %q are both the batch size", what, f.params[f.batch].Name)
			return
		}
		f.batch = param.ID
	}
}

// defaultBatch is n_events if it has a range, else the first that has one.
func (f *file) defaultBatch() ParamID {
	if i, ok := f.paramSpace.find("n_events"); ok && !f.params[i].Fixed() {
		return ParamID(i)
	}
	for _, p := range f.params {
		if !p.Fixed() {
			return p.ID
		}
	}
	return None
}

// builtins are the element types that every sequence has, in the order of their
// ids.
func builtins() []Type {
	list := []Type{
		{Name: "u8", Size: 1, Unsigned: true},
		{Name: "u16", Size: 2, Unsigned: true},
		{Name: "u32", Size: 4, Unsigned: true},
		{Name: "u64", Size: 8, Unsigned: true},
		{Name: "i8", Size: 1},
		{Name: "i16", Size: 2},
		{Name: "i32", Size: 4},
		{Name: "i64", Size: 8},
		{Name: "f16", Size: 2},
		{Name: "bf16", Size: 2},
		{Name: "f32", Size: 4},
		{Name: "f64", Size: 8},
		{Name: "bool", Size: 1},
		{Name: "ptr", Size: 8},
	}
	for i := range list {
		list[i].ID, list[i].Align, list[i].Builtin = TypeID(i), list[i].Size, true
	}
	return list
}

func (f *file) decodeTypes(n *node) {
	f.types = builtins()
	builtin := map[string]bool{}
	for i, t := range f.types {
		builtin[t.Name] = true
		f.typeSpace.add(&node{value: t.Name}, i, t.Name, f.reporter)
	}
	if n != nil && n.kind != mapNode {
		f.lost.all = true
	}
	for _, p := range f.entries(n, `"types"`) {
		what := fmt.Sprintf("type %q", p.key.value)
		f.checkName(p.key, what)
		if builtin[p.key.value] {
			f.hinted(p.key.place(), CodeBuiltin, "choose another name", "the type %q is built in", p.key.value)
			continue
		}
		t := Type{ID: TypeID(len(f.types)), Name: p.key.value, Align: 1, Pos: p.key.place().Pos}
		f.typeSpace.add(p.key, len(f.types), what, f.reporter)
		f.decodeType(&t, p, what)
		f.types = append(f.types, t)
	}
}

var (
	cTypePattern   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_:<>, *]*$`)
	goTypePattern  = regexp.MustCompile(`^[A-Za-z0-9_~.-]+(/[A-Za-z0-9_~.-]+)*\.[A-Z][A-Za-z0-9_]*$`)
	includePattern = regexp.MustCompile(`^(<[A-Za-z0-9_+./ -]+>|[A-Za-z0-9_+./ -]+)$`)
)

func (f *file) decodeType(t *Type, p pair, what string) {
	o, ok := f.object(p.value, &f.format.typ, what, p.key.place())
	if !ok {
		return
	}
	size, okSize := f.integer(o.get("size"), of("size", what), anyBytes)
	align := uint64(1)
	if a := o.get("align"); a != nil {
		align = f.align(a, of("align", what))
	}
	if okSize && align > 0 && size%align != 0 {
		f.hinted(o.get("size").place(), CodeTypeSize, "elements of an array lie side by side, each aligned",
			"the size of %s, %d, is not a multiple of its alignment, %d", what, size, align)
	}
	t.Size, t.Align = Bytes(size), Bytes(align)
	if n := o.get("c"); n != nil {
		if t.C, ok = f.text(n, of("c", what)); ok && !cTypePattern.MatchString(t.C) {
			f.errorf(n.place(), CodeCType, "%q is not the name of a C or C++ type", t.C)
		}
	}
	if n := o.get("include"); n != nil {
		if t.Include, ok = f.text(n, of("include", what)); ok && !includePattern.MatchString(t.Include) {
			f.hinted(n.place(), CodeInclude, "write dir/name.h, or <name.h> in quotes", "%q is not the name of a header", t.Include)
		}
	}
	if n := o.get("go"); n != nil {
		if t.Go, ok = f.text(n, of("go", what)); ok && !goTypePattern.MatchString(t.Go) {
			f.hinted(n.place(), CodeGoType, "write import/path.Type", "%q is not the name of an exported Go type", t.Go)
		}
	}
}

func (f *file) decodeCounts(n *node) {
	if n != nil && n.kind != mapNode {
		f.lost.all = true
	}
	for _, p := range f.entries(n, `"counts"`) {
		what := fmt.Sprintf("count %q", p.key.value)
		if !f.checkName(p.key, what) {
			f.lost.add(p.key.value)
		}
		f.checkNotFunction(p.key, what)
		if len(f.counts) == maxCounts {
			f.errorf(p.key.place(), CodeTooMany, "more than %d counts", maxCounts)
			f.lost.all = true
			break
		}
		if first, ok := f.paramSpace.entries[p.key.value]; ok {
			f.hinted(p.key.place(), CodeDuplicateName, fmt.Sprintf("the parameter is at line %d", first.node.place().Line), "%s has the name of a parameter", what)
			continue
		}
		f.countSpace.add(p.key, len(f.counts), what, f.reporter)
		c := countDecl{name: p.key, atBuffer: None}
		if o, ok := f.object(p.value, &f.format.count, what, p.key.place()); ok {
			f.decodeAt(&c, o.get("at"), of("at", what))
			c.max = f.size(o.get("max"), of("max", what))
			c.typical = f.size(o.get("typical"), of("typical", what))
		}
		f.counts = append(f.counts, c)
	}
}

// decodeAt reads buffer[index].
func (f *file) decodeAt(c *countDecl, n *node, what string) {
	if n == nil {
		return
	}
	text, ok := f.text(n, what)
	if !ok {
		return
	}
	open := strings.IndexByte(text, '[')
	end := len(strings.TrimRight(text, " \t\r\n"))
	if open < 0 || text[end-1] != ']' || !isDotted(strings.TrimSpace(text[:open])) {
		f.hinted(n.place(), CodeCountAt, `for example "offsets[n_events]"`, "%s must be buffer[index], found %q", what, text)
		return
	}
	name := *n // the same scalar; only the name is looked up
	name.value = strings.TrimSpace(text[:open])
	c.atNode = &name
	c.index = f.parseSize(n, open+1, end-1)
}
