package sequences

import "bytes"

// document reports whether a text is a document that seqplan wrote, such as a plan. It is
// told at once, for a plan may be larger than a sequence file.
func (s *source) document(r *reporter) bool {
	at := skipSpace(s.text, 0)
	if at == len(s.text) || s.text[at] != '{' {
		return false
	}
	at = skipSpace(s.text, at+1)
	key, ok := bytes.CutPrefix(s.text[at:], []byte(`"seqplan_`))
	kind, _, closed := bytes.Cut(key[:min(len(key), maxName)], []byte(`"`))
	if !ok || !closed || !isName(string(kind)) {
		return false
	}
	s.index()
	if string(kind) == "plan" {
		r.hinted(s.place(at), CodeDocument, "seqplan report, explain and diff read plans", "this is a plan, not a sequence file")
	} else {
		r.errorf(s.place(at), CodeDocument, "this is a document that seqplan wrote (%q), not a sequence file", "seqplan_"+string(kind))
	}
	return true
}
