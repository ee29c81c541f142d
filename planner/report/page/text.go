package page

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
)

// number is an integer in JSON: a string, because a number of JavaScript is exact up to
// 2^53 only.
type number string

func num[N ~uint64](n N) number { return number(strconv.FormatUint(uint64(n), 10)) }

func optional[N ~uint64](n *N) *number {
	if n == nil {
		return nil
	}
	s := num(*n)
	return &s
}

// text is a name or another text from a file, which may hold anything. In JSON it is as the
// other formats print it: what is not printable, or turns the direction of text, is spelled
// out.
type text string

func (t text) MarshalJSON() ([]byte, error) { return json.Marshal(prose.Plain(string(t))) }

func texts(list []string) []text {
	var out []text
	for _, s := range list {
		out = append(out, text(s))
	}
	return out
}

// oneLine is a formula, which may have line breaks in its file.
func oneLine(formula string) text { return text(strings.Join(strings.Fields(formula), " ")) }
