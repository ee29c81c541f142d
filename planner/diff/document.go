package diff

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Options choose how a Diff is printed.
type Options struct {
	Top int // how much of each list is printed; 0 means 10
}

const defaultTop = 10

// document is a comparison as the text forms print it; all strings may have marks.
type document struct {
	verdict, layout string
	blocks          []block
	last            string
}

// block is a table.
type block struct {
	title string
	head  []string // in the text form only if it has no details
	rows  []row
	more  string // what was cut off
}

// row is a row of a table, and what there is to say about it.
type row struct {
	cells   []string
	details []detail
}

type detail struct{ label, text string }

// detailed tells whether rows have details: then they have a column for them.
func (b *block) detailed() bool {
	for _, r := range b.rows {
		if len(r.details) > 0 {
			return true
		}
	}
	return false
}

// Text prints the comparison for people.
func (d *Diff) Text(w io.Writer, opts Options) error {
	_, err := io.WriteString(w, strings.Join(append(d.Lines(opts), ""), "\n"))
	return err
}

// Lines are the lines of the text form, without line breaks; the first is the verdict.
func (d *Diff) Lines(opts Options) []string {
	doc := d.document(opts)
	out := []string{doc.verdict}
	if doc.layout != "" {
		out = append(out, doc.layout)
	}
	for i := range doc.blocks {
		out = append(out, "", doc.blocks[i].title)
		out = append(out, doc.blocks[i].lines()...)
	}
	if doc.last != "" {
		out = append(out, "", doc.last)
	}
	for i := range out {
		out[i] = strings.TrimRight(strip(out[i]), " ")
	}
	return out
}

func (b *block) lines() []string {
	rows := b.rows
	if len(b.head) > 0 && !b.detailed() {
		rows = append([]row{{cells: b.head}}, rows...)
	}
	var widths []int
	for _, r := range rows {
		for i, c := range r.cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(c))
		}
	}
	var out []string
	for _, r := range rows {
		line := "  "
		for i, c := range r.cells {
			line += c + strings.Repeat(" ", widths[i]-width(c)+2)
		}
		out = append(out, line)
		for _, d := range r.details {
			out = append(out, fmt.Sprintf("      %-12s %s", d.label, d.text))
		}
	}
	if b.more != "" {
		out = append(out, "  "+b.more)
	}
	return out
}

func width(s string) int { return utf8.RuneCountInString(strip(s)) }

// Markdown prints the comparison for a pull request.
func (d *Diff) Markdown(w io.Writer, opts Options) error {
	doc := d.document(opts)
	var out strings.Builder
	fmt.Fprintf(&out, "### %s\n", markdown(doc.verdict))
	if doc.layout != "" {
		fmt.Fprintf(&out, "\n%s\n", markdown(doc.layout))
	}
	for i := range doc.blocks {
		doc.blocks[i].markdown(&out)
	}
	if doc.last != "" {
		fmt.Fprintf(&out, "\n%s\n", markdown(doc.last))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func (b *block) markdown(out *strings.Builder) {
	fmt.Fprintf(out, "\n#### %s\n\n", markdown(b.title))
	head := b.head
	if b.detailed() {
		head = append(head[:len(head):len(head)], "details")
	}
	fmt.Fprintf(out, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
	for _, r := range b.rows {
		out.WriteByte('|')
		for i := range b.head {
			cell := ""
			if i < len(r.cells) {
				cell = markdown(r.cells[i])
			}
			fmt.Fprintf(out, " %s |", cell)
		}
		if b.detailed() {
			var details []string
			for _, d := range r.details {
				details = append(details, d.label+": "+markdown(d.text))
			}
			fmt.Fprintf(out, " %s |", strings.Join(details, "<br>"))
		}
		out.WriteByte('\n')
	}
	if b.more != "" {
		fmt.Fprintf(out, "\n%s\n", markdown(b.more))
	}
}
