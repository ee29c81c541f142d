// Package faults is what lists of faults have in common as errors: those of plans
// and those of packings. What a fault is, and how it is found, is theirs.
package faults

import "fmt"

// Text names the first of some faults and counts the others, behind a sentence.
func Text[F error](what string, list []F) string {
	switch len(list) {
	case 0:
		return "no faults"
	case 1:
		return what + ": " + list[0].Error()
	}
	return fmt.Sprintf("%s: %s (and %d more)", what, list[0].Error(), len(list)-1)
}

// Errors returns the faults as errors, for errors.As.
func Errors[F error](list []F) []error {
	errs := make([]error, len(list))
	for i, fault := range list {
		errs[i] = fault
	}
	return errs
}
