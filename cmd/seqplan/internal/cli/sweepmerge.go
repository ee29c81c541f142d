package cli

import (
	"flag"
	"path/filepath"
	"slices"
	"strings"

	"github.com/seqplan/seqplan/planner/sweep"
)

// mergeShards puts the outputs of shards together.
func (f *sweepFlags) mergeShards(fs *flag.FlagSet, paths []string, s streams) error {
	var other string
	fs.Visit(func(g *flag.Flag) {
		if !slices.Contains([]string{"merge", "o", "f", "all", "error-format"}, g.Name) {
			other = g.Name
		}
	})
	if other != "" {
		return usagef("-merge plans nothing and takes no -%s", other)
	}
	if len(paths) == 0 {
		return usagef("want the outputs of all shards")
	}
	if err := newOutput(f.output, paths, s); err != nil {
		return err
	}
	if err := oneStdin(paths); err != nil {
		return err
	}
	var shards []sweep.File
	for _, path := range paths {
		data, err := f.read(path, anySize, s)
		if err != nil {
			return err
		}
		shards = append(shards, sweep.File{Path: path, Data: data})
	}
	text, err := sweep.Merge(shards)
	if err != nil {
		return err
	}
	if lines := strings.HasPrefix(string(text), "{"); lines && filepath.Ext(f.output) == ".csv" || !lines && filepath.Ext(f.output) == ".jsonl" {
		return usagef("-o %s: the shards have another format than that name says", f.output)
	}
	if err := f.mayReplace(func(old sweep.File) error { return sweep.CheckMerged(old, text) }); err != nil {
		return err
	}
	return f.write(text, s)
}
