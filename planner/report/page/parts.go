package page

import (
	"embed"
	"strings"
)

//go:embed css js
var files embed.FS

// parts reads files of the page, one after the other. The parts of the script share one
// scope, and each uses only what is before it until all are there.
func parts(folder, suffix string, names ...string) (string, error) {
	var out strings.Builder
	for _, name := range names {
		text, err := files.ReadFile(folder + "/" + name + suffix)
		if err != nil {
			return "", err
		}
		out.Write(text)
	}
	return out.String(), nil
}

func style() (string, error) {
	return parts("css", ".css", "colours", "base", "controls", "plots", "detail", "tables", "standing", "narrow", "print")
}

func script() (string, error) {
	text, err := parts("js", ".js", "model", "sizes", "arena", "text", "words", "dom", "state", "zoom", "looks", "groups", "needs",
		"plot", "fit", "explain", "detail", "tip", "map", "keys", "curve", "brush", "table", "tables", "pools", "budgets", "baseline",
		"heading", "controls", "slider", "legend", "main")
	return "\"use strict\";\n(() => {\n" + text + "})();\n", err
}
