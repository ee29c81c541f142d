package sequences

import "strings"

// resolveBudgets looks up the names in budgets.
func (f *file) resolveBudgets() {
	tries := 0
	var known []string // patterns that may be meant, once they are needed
	for i := range f.budgets {
		d := &f.budgets[i]
		f.resolveSize(d.size, &static{"budget", CodeBudgetStatic})
		pattern, ok := strings.CutPrefix(d.Name, "algorithms.")
		switch {
		case !ok || d.Kind != BudgetAlgorithm:
		case !strings.Contains(pattern, "*"):
			name := *d.key
			if id, ok := f.findStep(&name); ok {
				d.Steps = []StepID{StepID(id)}
			}
		case tries+len(f.steps) > maxUses:
			f.errorf(d.key.place(), CodeValues, "the patterns of the budgets are compared with more than %d names of steps", maxUses)
			return
		default:
			tries += len(f.steps)
			if d.Steps = f.matching(pattern); len(d.Steps) > 0 || f.lost.any() {
				break
			}
			if known == nil {
				known = f.patterns()
			}
			f.hinted(d.key.place(), CodeNoStep, f.nearest(pattern, known), "no step matches %q", pattern)
		}
	}
}

// matching returns the steps of a pattern.
func (f *file) matching(pattern string) []StepID {
	var out []StepID
	parts := strings.Split(pattern, "*")
	for i := range f.steps {
		if matches(parts, f.steps[i].name.value) {
			out = append(out, StepID(i))
		}
	}
	return out
}

// patterns are those that may be meant: the start or the end of the name of a step, up to
// an underscore or a dot.
func (f *file) patterns() []string {
	var out []string
	for _, name := range f.stepSpace.names {
		for i := 1; i < len(name)-1; i++ {
			if name[i] == '_' || name[i] == '.' {
				out = append(out, name[:i+1]+"*", "*"+name[i:])
			}
		}
	}
	return out
}

// matches reports whether a name matches the parts of a pattern between its stars. A star
// stands for a run of characters, which may be empty.
func matches(parts []string, name string) bool {
	last := len(parts) - 1
	name, ok := strings.CutPrefix(name, parts[0])
	for _, p := range parts[1:last] {
		if ok {
			_, name, ok = strings.Cut(name, p)
		}
	}
	return ok && strings.HasSuffix(name, parts[last])
}

// budgetModel writes the budgets with resolved expressions.
func (b *builder) budgetModel() []Budget {
	var out []Budget
	for _, d := range b.budgets {
		if d.size != nil {
			d.Max = b.expression(d.size)
		}
		out = append(out, d.Budget)
	}
	return out
}
