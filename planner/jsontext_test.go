package planner_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner"
)

// What is wrong in the text of a plan file is named with its place.
func TestReadPlanText(t *testing.T) {
	good := planFile(t, []byte(whole))
	for name, tc := range map[string]struct{ old, new, want string }{
		"no UTF-8":            {`"name": "whole"`, "\"name\": \"wh\xffle\"", "line 3, column 14: the byte 0xff is not UTF-8"},
		"no UTF-8, wide":      {`"name": "whole"`, "\"name\": \"Größe\xc3\"", "line 3, column 17: the byte 0xc3 is not UTF-8"},
		"half a character":    {`"name": "whole"`, `"name": "wh\ud83dole"`, `line 3, column 14: \ud83d is half of a character`},
		"the other half":      {`"name": "whole"`, `"name": "\\\udE00"`, `line 3, column 14: \udE00 is half of a character`},
		"two first halves":    {`"name": "whole"`, `"name": "\ud83d\ud83d"`, `line 3, column 12: \ud83d is half of a character`},
		"no escape":           {`"name": "whole"`, `"name": "\u12"`, "invalid character"},
		"no JSON":             {`"name": "whole",`, `"name": whole,`, "line 3, column 11: invalid character 'w'"},
		"cut off":             {good[len(good)/2:], "", "unexpected end"},
		"two values":          {"\n}\n", "\n} {}\n", "invalid character '{' after top-level value"},
		"a word for a number": {`"workers": 2`, `"workers": "two"`, "workers: want an integer in its range, got string"},
		"a fraction":          {`"workers": 2`, `"workers": 2.5`, "line 6, column 17: workers: want an integer in its range, got number 2.5"},
		"below zero":          {`"size": `, `"size": -`, "pools.size: want an integer in its range, got number -"},
		"a number for a list": {`"params": [`, `"params": 7, "streams": [`, "params: want a list, got number"},
		"a list for a plan":   {good, "[1]", "want an object, got array"},
		"an endless number":   {`"workers": 2`, `"workers": 1` + strings.Repeat("0", 1e6), "got number 1000"},
		"a list for a word":   {`"batch": "n_events"`, `"batch": []`, "batch: want a string, got array"},
		"a word for a switch": {`"optimal": true`, `"optimal": "yes"`, "optimal: want true or false, got string"},
		"a number for a pool": {`"arena": {`, `"arena": 3, "x": {`, "arena: want an object, got number"},
		"a plan without end":  {good, "", "unexpected end of JSON input"},
		"a key twice":         {`"workers": 2`, `"workers": 2, "workers": 2`, `line 6, column 17: the key "workers" is there twice`},
		"with a long s":       {`"workers": 2`, `"workers": 2, "workerſ": 2`, "is there twice"},
		"in another case":     {`"workers": 2`, `"workers": 2, "Workers": 2`, `the key "Workers" is there twice`},
		"an unknown key":      {`"workers": 2`, `"` + strings.Repeat("x", 1e6) + `": 2`, `unknown field "xxx`},
		"an unknown class":    {`"class": "static"`, `"class": "both"`, `"both" is not a class`},
		"a missing pool":      {`"scope": "device"`, `"scope": "host"`, "pools[0].scope: want the device pool here"},
	} {
		require.Contains(t, good, tc.old, name)
		_, err := planner.ReadPlan(strings.NewReader(strings.Replace(good, tc.old, tc.new, 1)))
		require.ErrorContains(t, err, tc.want, name)
		require.Less(t, len(err.Error()), 200, name)
	}
}

// A byte order mark is skipped, and columns do not count it; a pair of escapes is one
// character.
func TestReadPlanMark(t *testing.T) {
	good := planFile(t, []byte(whole))
	p, err := planner.ReadPlan(strings.NewReader("\ufeff" + good))
	require.NoError(t, err)
	require.Equal(t, good, written(t, p))
	_, err = planner.ReadPlan(strings.NewReader("\ufeffx"))
	require.ErrorContains(t, err, "line 1, column 1: ")
	_, err = planner.ReadPlan(strings.NewReader("\ufeff\ufeff" + good))
	require.Error(t, err)
	p, err = planner.ReadPlan(strings.NewReader(strings.Replace(good, `"name": "whole"`, `"name": "\ud83d\ude00 \\ud83d \ufffd"`, 1)))
	require.NoError(t, err)
	require.Equal(t, "\U0001f600 \\ud83d \ufffd", p.Name)
}
