package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the template
	"encoding/base64"
	"encoding/json"
	"html/template"
	"io"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
	"github.com/seqplan/seqplan/sequences/expr"
)

//go:embed page.tmpl
var layout string

// contents fills the template.
type contents struct {
	Title    string
	Policy   string
	Style    template.CSS
	Data     template.JS
	Formulas template.JS
	Script   template.JS
}

// Write writes the page for a plan of seq and its report. The same input gives the same
// bytes. An error is of the writer, or of an expression that cannot be printed, which a
// sequence that was planned does not have.
func Write(w io.Writer, seq *sequences.Sequence, plan *planner.Plan, r *report.Report) error {
	d, formulas, err := collect(seq, plan, r)
	if err != nil {
		return err
	}
	// Marshal escapes <, > and &: no name can end the block.
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	style, err := style()
	if err != nil {
		return err
	}
	script, err := script()
	if err != nil {
		return err
	}
	t, err := template.New("page").Parse(layout)
	if err != nil {
		return err
	}
	calc := "\"use strict\";\n" + expr.JSPrelude() + formulas
	var out bytes.Buffer
	err = t.Execute(&out, contents{
		Title: prose.Plain(plan.Name),
		Policy: "default-src 'none'; img-src data:; style-src " + source(style) + "; script-src " + source(calc) + " " + source(script) +
			"; base-uri 'none'; form-action 'none'",
		Style: template.CSS(style), Data: template.JS(data), Formulas: template.JS(calc), Script: template.JS(script),
	})
	if err != nil {
		return err
	}
	_, err = w.Write(out.Bytes())
	return err
}

// source is what a Content-Security-Policy calls a text: its hash.
func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
