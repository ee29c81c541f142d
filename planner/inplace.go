package planner

import (
	"fmt"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/sequences"
)

// checkInPlace checks what the reader cannot know of a buffer that takes over
// the storage of another one: that both are of one class, and that a dynamic one
// always fits. Of two static ones the storage is as large as the larger.
func checkInPlace(seq *sequences.Sequence, classes []classified, bounds *bounder) sequences.Diagnostics {
	var diags sequences.Diagnostics
	add := func(code diag.Code, b *sequences.Buffer, hint, format string, args ...any) {
		diags = append(diags, sequences.Diagnostic{
			Pos: b.Pos, Code: code, Severity: diag.Error, Message: fmt.Sprintf(format, args...), Hint: hint,
		})
	}
	related := newRelation(bounds)
	for i := range seq.Buffers {
		b := &seq.Buffers[i]
		if b.InPlaceOf == sequences.None {
			continue
		}
		base := &seq.Buffers[b.InPlaceOf]
		switch {
		case classes[i].class != classes[base.ID].class:
			add(CodeInPlaceClass, b, "drop in_place_of: the two lie in different pools",
				"%q is %s and cannot take over the storage of %q, which is %s", b.Name, classes[i].class, base.Name, classes[base.ID].class)
		case classes[i].class == Dynamic && !related.fits(b, base):
			add(CodeInPlaceSize, b, fmt.Sprintf("give it the count %q", "count_of("+base.Name+")"),
				"cannot prove that %q is never larger than %q, whose storage it takes over", b.Name, base.Name)
		}
	}
	return diags
}
