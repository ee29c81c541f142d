package sweep_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/planner/sweep"
)

func TestParseShard(t *testing.T) {
	s, err := sweep.ParseShard("3/4")
	require.NoError(t, err)
	require.Equal(t, sweep.Shard{Index: 3, Count: 4}, s)
	for _, text := range []string{"", "3", "4/4", "-1/4", "0/0", "1/", "/2", "0/4/5", "0/4294967296", "0/1048577", "a/b"} {
		_, err := sweep.ParseShard(text)
		require.Error(t, err, text)
	}
}

func TestAutoShard(t *testing.T) {
	slurm := func(id, low, high, count, step string) string {
		out := "SLURM_ARRAY_TASK_ID=" + id + " SLURM_ARRAY_TASK_MIN=" + low + " SLURM_ARRAY_TASK_MAX=" + high + " SLURM_ARRAY_TASK_COUNT=" + count
		if step != "" {
			out += " SLURM_ARRAY_TASK_STEP=" + step
		}
		return out
	}
	for env, want := range map[string]sweep.Shard{
		slurm("2", "0", "3", "4", "1"):                            {Index: 2, Count: 4},
		slurm("2", "0", "3", "4", ""):                             {Index: 2, Count: 4},
		slurm("1", "1", "4", "4", "1"):                            {Index: 0, Count: 4},
		slurm("16", "10", "16", "4", "2"):                         {Index: 3, Count: 4},
		slurm("2", "0", "7", "4", "2"):                            {Index: 1, Count: 4},
		slurm("5", "5", "5", "1", "1"):                            {Index: 0, Count: 1},
		slurm("5", "5", "5", "1", "1") + " SEQPLAN_SHARD_COUNT=8": {Index: 5, Count: 8},
		"SEQPLAN_SHARD_INDEX=1 SEQPLAN_SHARD_COUNT=3":             {Index: 1, Count: 3},
		"JOB_COMPLETION_INDEX=0 SEQPLAN_SHARD_COUNT=3":            {Index: 0, Count: 3},
		"JOB_COMPLETION_INDEX=0 SEQPLAN_SHARD_INDEX=1 SLURM_ARRAY_TASK_ID=9 SEQPLAN_SHARD_COUNT=3": {Index: 1, Count: 3},
	} {
		got, err := sweep.AutoShard(environment(env))
		require.NoError(t, err, env)
		require.Equal(t, want, got, env)
	}
	for env, says := range map[string]string{
		"":                       "no index of an array job",
		"JOB_COMPLETION_INDEX=1": "JOB_COMPLETION_INDEX is set, but not the number of shards: set SEQPLAN_SHARD_COUNT",
		"SEQPLAN_SHARD_INDEX=1":  "SEQPLAN_SHARD_INDEX is set, but not the number of shards: set SEQPLAN_SHARD_COUNT",
		"SLURM_ARRAY_TASK_ID=1":  "SLURM_ARRAY_TASK_MIN is not set; or set SEQPLAN_SHARD_COUNT",
		"SEQPLAN_SHARD_INDEX=3 SEQPLAN_SHARD_COUNT=3":                       "from 0 to",
		"SEQPLAN_SHARD_INDEX=x SEQPLAN_SHARD_COUNT=3":                       "not a whole number",
		"SEQPLAN_SHARD_INDEX=0 SEQPLAN_SHARD_COUNT=-3":                      "not a whole number",
		"SEQPLAN_SHARD_INDEX=0 SEQPLAN_SHARD_COUNT=2147483647":              "at most 1048575",
		"JOB_COMPLETION_INDEX=1 SLURM_ARRAY_TASK_ID=1":                      "both",
		slurm("3", "1", "7", "3", "1"):                                      "not a range",
		slurm("3", "0", "6", "4", "2"):                                      "not a range",
		slurm("9", "0", "6", "4", "2"):                                      "not a range",
		slurm("0", "1", "6", "6", "1"):                                      "not a range",
		slurm("0", "0", "0", "0", "0"):                                      "not a range",
		slurm("0", "0", "3", "x", "1"):                                      "SLURM_ARRAY_TASK_COUNT is",
		strings.Replace(slurm("0", "0", "3", "4", "1"), "MAX=3", "MAX=", 1): "SLURM_ARRAY_TASK_MAX is not set",
	} {
		_, err := sweep.AutoShard(environment(env))
		require.ErrorContains(t, err, says, env)
	}
}

func environment(text string) func(string) string {
	return func(name string) string {
		for _, word := range strings.Fields(text) {
			if value, ok := strings.CutPrefix(word, name+"="); ok {
				return value
			}
		}
		return ""
	}
}
