package abi

// Rules of an allocation: how the arena mode "reuse" places it. The smallest extent
// that is large enough takes it, of equal ones the first; where none is large enough
// it goes to the cursor. The planner chooses the end of the extent, from what it
// knows of the lifetimes and the typical sizes.
const (
	RuleLow  uint64 = 0 // at the low end of the extent
	RuleHigh uint64 = 1 // at its high end
)

// ValidRule reports whether a word is a rule.
func ValidRule(rule uint64) bool { return rule <= RuleHigh }
