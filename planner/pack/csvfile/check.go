package csvfile

import (
	"fmt"
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/kernels/checked"
)

// fault is a rule that a buffer breaks, in one column and perhaps one gap of it.
type fault struct {
	code    diag.Code
	column  column
	gap     int // index in Gaps, if column is colGaps
	message string
	hint    string
}

// check returns the rules that b breaks, of those that need only sound columns. The
// messages give intervals as the file does.
func (b *Buffer) check(sound columns, inclusive bool) []fault {
	found := checkID(b.ID)
	living := sound.has(colLower) && sound.has(colUpper)
	if living && b.Lower >= b.Upper {
		living = false
		found = append(found, fault{
			code: CodeLifetime, column: colUpper,
			message: fmt.Sprintf("the lifetime %s is empty", span(b.Lower, b.Upper, inclusive)),
			hint:    "upper is the first step after the lifetime, end the last one in it",
		})
	}
	align := max(b.Align, 1)
	if sound.has(colAlign) && bits.OnesCount64(align) != 1 {
		sound &^= 1 << colAlign
		found = append(found, fault{
			code: CodeAlign, column: colAlign,
			message: fmt.Sprintf("the alignment %d is not a power of two", align),
		})
	}
	for _, place := range [...]struct {
		column column
		at     *uint64
	}{{colOffset, b.Offset}, {colHint, b.Hint}} {
		if place.at == nil || !sound.has(place.column) {
			continue
		}
		if sound.has(colAlign) && *place.at%align != 0 {
			found = append(found, fault{
				code: CodeUnaligned, column: place.column,
				message: fmt.Sprintf("the %s %d is not a multiple of the alignment %d", place.column, *place.at, align),
			})
		}
		if _, err := checked.Add(*place.at, b.Size); err != nil && sound.has(colSize) {
			found = append(found, fault{
				code: CodeOverflow, column: place.column,
				message: fmt.Sprintf("%s %d and size %d together leave uint64", place.column, *place.at, b.Size),
			})
		}
	}
	for i := range b.Gaps {
		found = append(found, b.checkGap(i, living, sound.has(colSize), inclusive)...)
	}
	return found
}

func checkID(id string) []fault {
	message := ""
	switch {
	case id == "":
		message = "the id is empty"
	case !utf8.ValidString(id):
		message = fmt.Sprintf("the id %s is not UTF-8 text", show(id))
	case strings.ContainsFunc(id, unicode.IsControl):
		message = fmt.Sprintf("the id %s has a control character", show(id))
	case strings.TrimSpace(id) != id:
		message = fmt.Sprintf("the id %s has spaces around it", show(id))
	default:
		return nil
	}
	return []fault{{code: CodeID, column: colID, message: message}}
}

// checkGap checks gap i and that it follows the one before it.
func (b *Buffer) checkGap(i int, living, sized, inclusive bool) (found []fault) {
	g := b.Gaps[i]
	this := span(g.Lower, g.Upper, inclusive)
	report := func(code diag.Code, hint, format string, args ...any) {
		found = append(found, fault{code: code, column: colGaps, gap: i, message: fmt.Sprintf(format, args...), hint: hint})
	}
	switch {
	case g.Lower >= g.Upper:
		report(CodeGapPlace, "", "the gap %s is empty", this)
	case living && (g.Lower < b.Lower || g.Upper > b.Upper):
		report(CodeGapPlace, "", "the gap %s is not inside the lifetime %s", this, span(b.Lower, b.Upper, inclusive))
	}
	if i > 0 && g.Lower < b.Gaps[i-1].Upper {
		before := b.Gaps[i-1]
		report(CodeGapOrder, "gaps ascend and do not overlap", "the gap %s does not follow the gap %s",
			this, span(before.Lower, before.Upper, inclusive))
	}
	switch w := g.Window; {
	case w == nil:
	case w.Lo >= w.Hi:
		report(CodeGapWindow, "a gap without a window leaves no byte in use", "the window [%d, %d) is empty", w.Lo, w.Hi)
	case sized && w.Hi > b.Size:
		report(CodeGapWindow, "", "the window [%d, %d) is not inside the %d bytes of the buffer", w.Lo, w.Hi, b.Size)
	}
	return found
}

// span prints an interval, as it is written where ends are inclusive.
func span(lower, upper uint64, inclusive bool) string {
	if inclusive {
		return fmt.Sprintf("%d-%d", lower, upper-1)
	}
	return fmt.Sprintf("[%d, %d)", lower, upper)
}

// show quotes a text of the file for a message, the start of it if it is long.
func show(text string) string {
	const most = 60
	if len(text) > most {
		return fmt.Sprintf("%q...", strings.ToValidUTF8(text[:most], ""))
	}
	return fmt.Sprintf("%q", text)
}
