package sequences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/sequences/expr"
)

// Budget is a limit for a part of the memory of a sequence.
type Budget struct {
	Kind  BudgetKind
	Name  string // its path in the file: "pools.device"
	Scope Scope  // of a pool and of a class
	// Dynamic is which class of its scope a budget of a class is for.
	Dynamic bool
	// Steps are the steps that a budget of algorithms is for, in the order of the file;
	// at least one.
	Steps []StepID
	Max   *expr.Node // bytes; static, and of no buffer
	Text  string     // Max as written
	Basis BudgetBasis
	Pos   Pos
}

// BudgetKind is what a budget limits.
type BudgetKind uint8

// The kinds of budgets. The last is no entry of budgets, but the capacity of a scope.
const (
	BudgetTotal     BudgetKind = iota // the device memory of all workers: static region and arena
	BudgetPool                        // the static region of one worker in one scope
	BudgetArena                       // the dynamic device buffers of one worker
	BudgetClass                       // the sum of the sizes of one class of one scope
	BudgetAlgorithm                   // the sum of the sizes of all buffers that some steps declare
	BudgetCapacity                    // as BudgetPool, by the capacity that the scope declares
)

func (k BudgetKind) String() string {
	names := [...]string{"total", "pool", "arena", "class", "algorithm", "capacity"}
	if int(k) < len(names) {
		return names[k]
	}
	return "unknown"
}

// MarshalText writes the word of the kind.
func (k BudgetKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the word of a kind.
func (k *BudgetKind) UnmarshalText(text []byte) error {
	for kind := BudgetTotal; kind <= BudgetCapacity; kind++ {
		if kind.String() == string(text) {
			*k = kind
			return nil
		}
	}
	return fmt.Errorf("%q is not a kind of budgets", text)
}

// BudgetBasis is which size of a dynamic buffer counts.
type BudgetBasis uint8

// The bases of a budget.
const (
	BudgetAny     BudgetBasis = iota // typical where all counts of a buffer have such a value, else worst
	BudgetTypical                    // every count typical
	BudgetWorst                      // every count at its max
)

func (b BudgetBasis) String() string {
	names := [...]string{"any", "typical", "worst"}
	if int(b) < len(names) {
		return names[b]
	}
	return "unknown"
}

// budgetDecl is a budget before its names are resolved.
type budgetDecl struct {
	Budget
	size *size
	key  *node
}

// declareCapacity makes a budget of the capacity of a scope.
func (f *file) declareCapacity(scope string, o fields, capacity Bytes) {
	pos := o.keys["capacity"].place().Pos
	b := Budget{Kind: BudgetCapacity, Name: scope + ".capacity", Text: o.get("capacity").value, Pos: pos}
	if scope == Host.String() {
		b.Scope = Host
	}
	b.Max = &expr.Node{Kind: expr.Lit, Pos: pos, Value: uint64(capacity), Ref: -1}
	f.budgets = append(f.budgets, budgetDecl{Budget: b, key: o.keys["capacity"]})
}

// decodeBudgets reads the budgets, in the order of the file.
func (f *file) decodeBudgets(n *node) {
	if n == nil {
		return
	}
	o, _ := f.object(n, &f.format.budgets, `"budgets"`, n.place())
	for _, p := range inOrder(o) {
		switch p.key.value {
		case "total":
			f.decodeBudget(p, Budget{Kind: BudgetTotal, Name: "total"}, true)
		case "arena":
			f.decodeBudget(p, Budget{Kind: BudgetArena, Name: "arena"}, true)
		case "pools":
			f.decodeScoped(p.value, &f.format.poolBudgets, "pools")
		case "classes":
			f.decodeScoped(p.value, &f.format.classBudgets, "classes")
		case "algorithms":
			for _, a := range f.entries(p.value, `"algorithms" of "budgets"`) {
				f.decodeBudget(a, Budget{Kind: BudgetAlgorithm, Name: "algorithms." + a.key.value}, true)
			}
		}
	}
}

// decodeScoped reads the budgets of pools or of classes: "host", "dynamic_host".
func (f *file) decodeScoped(n *node, o *object, name string) {
	fields, _ := f.object(n, o, of(name, `"budgets"`), n.place())
	for _, p := range inOrder(fields) {
		b := Budget{Kind: BudgetPool, Name: name + "." + p.key.value}
		scope := p.key.value
		if class, rest, ok := strings.Cut(scope, "_"); ok {
			b.Kind, b.Dynamic, scope = BudgetClass, class == "dynamic", rest
		}
		if scope == Host.String() {
			b.Scope = Host
		}
		f.decodeBudget(p, b, b.Dynamic)
	}
}

// inOrder returns the known keys of an object in the order of the file.
func inOrder(f fields) []pair {
	var out []pair
	for name, key := range f.keys {
		if key.value == name { // a misspelled one is reported, and left out
			out = append(out, pair{key, f.values[name]})
		}
	}
	slices.SortFunc(out, func(a, b pair) int { return a.key.off - b.key.off })
	return out
}

// decodeBudget reads one budget: a size or, if it is of dynamic memory, a map with a basis.
func (f *file) decodeBudget(p pair, b Budget, dynamic bool) {
	b.Pos = p.key.place().Pos
	d := budgetDecl{Budget: b, key: p.key}
	what, value := fmt.Sprintf("budget %q", b.Name), p.value
	switch {
	case value.kind == mapNode && !dynamic:
		f.hinted(value.place(), CodeWrongKind, "it is static memory: there are no dynamic buffers in it, and so no basis; write the size alone",
			"%s must be a size expression or a whole number, found a map", what)
		return
	case value.kind == mapNode:
		o, _ := f.object(value, &f.format.budget, what, p.key.place())
		if n := o.get("basis"); n != nil {
			d.Basis = []BudgetBasis{BudgetTypical, BudgetWorst}[f.word(n, of("basis", what), BudgetTypical.String(), BudgetWorst.String())]
		}
		what, value = of("max", what), o.get("max")
	}
	if d.size = f.size(value, what); d.size != nil {
		d.Text = d.size.text
	}
	f.budgets = append(f.budgets, d)
}
