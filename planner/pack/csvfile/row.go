package csvfile

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// buffer reads a row that has all its fields and reports its faults.
func (r *reader) buffer(row []string, h *header) Buffer {
	c := &cells{reader: r, header: h, row: row, sound: allColumns}
	line, _ := r.csv.FieldPos(0)
	b := Buffer{
		ID:    strings.TrimSpace(row[h.at[colID]-1]),
		Lower: c.number(colLower),
		Upper: c.end(),
		Size:  c.number(colSize),
		Align: 1,
		Line:  line,
	}
	if align := c.optional(colAlign); align != nil {
		b.Align = max(*align, 1)
	}
	b.Gaps = c.gaps()
	b.Offset = c.optional(colOffset)
	b.Hint = c.optional(colHint)
	for _, f := range b.check(c.sound, h.inclusive) {
		at := r.fieldPos(h.at[f.column] - 1)
		if f.column == colGaps {
			at = r.within(h.at[colGaps]-1, r.gapAt[f.gap])
		}
		r.add(at, f.code, f.hint, "%s", f.message)
	}
	if first, double := r.seen[b.ID]; !double {
		r.seen[b.ID] = line
	} else if b.ID != "" { // which is a fault already
		r.add(r.fieldPos(h.at[colID]-1), CodeDuplicateID, "every buffer has its own id",
			"the id %s is in line %d already", show(b.ID), first)
	}
	return b
}

// cells are the fields of one row. What is not sound has been reported.
type cells struct {
	*reader
	*header
	row   []string
	sound columns
}

// number returns the number in a column that the file has.
func (c *cells) number(col column) uint64 {
	i := c.at[col] - 1
	text := strings.TrimSpace(c.row[i])
	v, err := strconv.ParseUint(text, 10, 64)
	if err == nil {
		return v
	}
	c.sound &^= 1 << col
	switch {
	case errors.Is(err, strconv.ErrRange):
		c.add(c.fieldPos(i), CodeNumberSize, "", "%s is too large: %s is above %d", c.called[col], cut(text), uint64(math.MaxUint64))
	case text == "":
		c.add(c.fieldPos(i), CodeNumber, "", "%s is empty", c.called[col])
	default:
		c.add(c.fieldPos(i), CodeNumber, "write an unsigned decimal number", "%s must be a whole number, found %s", c.called[col], show(text))
	}
	return 0
}

// end returns the first step after the lifetime.
func (c *cells) end() uint64 {
	v := c.number(colUpper)
	if !c.inclusive || !c.sound.has(colUpper) {
		return v
	}
	if v == math.MaxUint64 {
		c.sound &^= 1 << colUpper
		c.add(c.fieldPos(c.at[colUpper]-1), CodeOverflow, hintEnd, "the step after %s %d leaves uint64", c.called[colUpper], v)
		return v
	}
	return v + 1
}

const hintEnd = "the column end names the last step of a lifetime"

// optional returns the number in a column, nil if there is none.
func (c *cells) optional(col column) *uint64 {
	if c.at[col] == 0 || strings.TrimSpace(c.row[c.at[col]-1]) == "" {
		return nil
	}
	v := c.number(col)
	return &v
}

// cut shortens a number of many digits.
func cut(digits string) string {
	if len(digits) > 40 {
		return digits[:40] + "..."
	}
	return digits
}
