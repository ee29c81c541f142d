package sequences

// Load reads the sequence file at path. It returns the text too, for the messages;
// nil if the file cannot be read, which is a diagnostic like any other. See Read.
func Load(path string) (*Sequence, []byte, Diagnostics) {
	data, fault := readFile(path)
	if fault != nil {
		return nil, nil, Diagnostics{*fault}
	}
	seq, diags := Read(path, data)
	return seq, data, diags
}

// Read reads a sequence file in YAML or JSON. name stands in the positions. It
// returns a Sequence, perhaps with warnings, or no Sequence and every fault that it
// finds, of which at least one is an error. The diagnostics are sorted.
func Read(name string, data []byte) (*Sequence, Diagnostics) {
	r := &reporter{}
	seq := read(name, data, r)
	diags := r.found.Sorted()
	if diags.HasErrors() {
		return nil, diags
	}
	return seq, diags
}

func read(name string, data []byte, r *reporter) *Sequence {
	src := newSource(name, data, r)
	if src == nil {
		return nil
	}
	doc := parseYAML(src, r)
	if doc == nil {
		return nil
	}
	root := buildTree(src, doc, r)
	if root == nil {
		return nil
	}
	f := &file{decoder: &decoder{reporter: r, format: newFormat()}}
	fields, _ := f.object(root, &f.format.root, "the sequence", root.place())
	templates := &expander{decoder: f.decoder, lost: &f.lost}
	steps := templates.expand(fields.get("templates"), fields.get("steps"))
	if templates.stopped {
		return nil
	}
	f.decode(fields, steps)
	f.resolve()
	dropped := f.dropOptional()
	f.joinGroups(dropped)
	f.checkOrder()
	f.checkViewCycles()
	f.checkSizeCycles(dropped)
	f.checkInPlace()
	f.checkKeep()
	f.checkUses(dropped)
	if r.found.HasErrors() {
		return nil
	}
	seq := f.build(dropped)
	seq.File = name
	return seq
}
