package sequences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/internal/diag"
)

// maxMessage is the number of bytes of a message; names in it may be long.
const maxMessage = 500

// place is where a diagnostic points to.
type place struct {
	Pos
	use     *use // the template use that made it, or nil
	pattern bool // it is in the pattern of a template, not in an argument
}

// use is one use of a template.
type use struct {
	template string
	pos      Pos
}

// reporter collects the diagnostics of all passes.
type reporter struct {
	found       Diagnostics
	patterns    map[inPattern]bool // faults of patterns, each reported for one use only
	suggestions int
}

type inPattern struct {
	Pos
	code diag.Code
}

func (r *reporter) add(severity diag.Severity, at place, code diag.Code, hint, message string) {
	if at.pattern {
		if r.patterns[inPattern{at.Pos, code}] {
			return
		}
		if r.patterns == nil {
			r.patterns = map[inPattern]bool{}
		}
		r.patterns[inPattern{at.Pos, code}] = true
	}
	if len(message) > maxMessage {
		message = strings.ToValidUTF8(message[:maxMessage], "") + "..."
	}
	if hint == "" && at.use != nil {
		hint = fmt.Sprintf("in template %q, used at line %d", at.use.template, at.use.pos.Line)
	}
	r.found = append(r.found, Diagnostic{Pos: at.Pos, Code: code, Severity: severity, Message: message, Hint: hint})
}

// errorf reports an error without a hint.
func (r *reporter) errorf(at place, code diag.Code, format string, args ...any) {
	r.add(diag.Error, at, code, "", fmt.Sprintf(format, args...))
}

// hinted reports an error with a hint, which may be empty.
func (r *reporter) hinted(at place, code diag.Code, hint, format string, args ...any) {
	r.add(diag.Error, at, code, hint, fmt.Sprintf(format, args...))
}

func (r *reporter) warnf(at place, code diag.Code, hint, format string, args ...any) {
	r.add(diag.Warning, at, code, hint, fmt.Sprintf(format, args...))
}

// nearest returns the hint that names the candidate which was probably meant.
func (r *reporter) nearest(name string, candidates ...[]string) string {
	if r.suggestions >= maxSuggestions {
		return ""
	}
	r.suggestions++
	if c := diag.Nearest(name, slices.Concat(candidates...)); c != "" {
		return fmt.Sprintf("did you mean %q?", c)
	}
	return ""
}
