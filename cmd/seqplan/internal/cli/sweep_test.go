package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v4"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/sweep"
	"github.com/seqplan/seqplan/sequences"
)

// jobs are the code blocks of docs/sweep.md by how they start.
func jobs(t *testing.T) map[string]string {
	doc, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "sweep.md"))
	require.NoError(t, err)
	out := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)```[a-z]*\n((#!/bin/sh|universe|apiVersion).*?)```").FindAllStringSubmatch(string(doc), -1) {
		out[m[2]] = m[1]
	}
	return out
}

// TestJobFiles does what the batch systems do with the job files of docs/sweep.md: it
// starts their commands, each with the environment of its task. The shards merged are what
// one run writes.
func TestJobFiles(t *testing.T) {
	text := jobs(t)
	words := func(line string) []string {
		return strings.Fields(strings.NewReplacer("\\\n", " ", `"`, "").Replace(line))
	}
	value := func(name string) string {
		m := regexp.MustCompile(`(?m)^` + name + ` *= (.*)$`).FindStringSubmatch(text["universe"])
		require.NotNil(t, m, name)
		return m[1]
	}
	var job struct {
		Spec struct {
			Completions int
			Template    struct {
				Spec struct {
					Containers []struct {
						Command []string
						Env     []struct{ Name, Value string }
					}
				}
			}
		}
	}
	require.NoError(t, yaml.Unmarshal([]byte(text["apiVersion"]), &job))
	require.Equal(t, 4, job.Spec.Completions)
	container := job.Spec.Template.Spec.Containers[0]

	for name, task := range map[string]func(i string) (args, env []string){
		"Slurm": func(i string) (args, env []string) {
			require.Contains(t, text["#!/bin/sh"], "#SBATCH --array=0-3\n")
			_, line, _ := strings.Cut(text["#!/bin/sh"], "\nseqplan ")
			env = strings.Fields("SLURM_ARRAY_TASK_ID=" + i + " SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=3 SLURM_ARRAY_TASK_STEP=1 SLURM_ARRAY_TASK_COUNT=4")
			return words(strings.NewReplacer("$SLURM_ARRAY_TASK_ID", i, "$SLURM_CPUS_PER_TASK", "1").Replace(line)), env
		},
		"HTCondor": func(i string) (args, env []string) {
			require.Contains(t, text["universe"], "\nqueue 4\n")
			replace := strings.NewReplacer("$(Process)", i)
			return words(replace.Replace(value("arguments"))), words(replace.Replace(value("environment")))
		},
		"Kubernetes": func(i string) (args, env []string) {
			for _, word := range container.Command[1:] {
				args = append(args, strings.ReplaceAll(word, "$(JOB_COMPLETION_INDEX)", i))
			}
			for _, v := range container.Env {
				env = append(env, v.Name+"="+v.Value)
			}
			return args, append(env, "JOB_COMPLETION_INDEX="+i)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			require.NoError(t, os.WriteFile("reco.yaml", sequences.Starter(), 0o666))
			command := func(args ...string) {
				var out, err bytes.Buffer
				require.Zero(t, Main(args, strings.NewReader(""), &out, &err), "%v: %s", args, err.String())
				require.Empty(t, out.String()+err.String())
			}
			merge := []string{"sweep", "-merge", "-o", "out.jsonl"}
			for i := range 4 {
				args, env := task(fmt.Sprint(i))
				for _, v := range env {
					name, value, _ := strings.Cut(v, "=")
					t.Setenv(name, value)
				}
				command(args...)
				merge = append(merge, fmt.Sprintf("out.%d.jsonl", i))
			}
			command(merge...)
			command("sweep", "-param", "n_events=100:2000:100", "-o", "one.jsonl", "reco.yaml")
			merged, err := os.ReadFile("out.jsonl")
			require.NoError(t, err)
			one, err := os.ReadFile("one.jsonl")
			require.NoError(t, err)
			require.Equal(t, 20, bytes.Count(one, []byte("\n")))
			require.Equal(t, string(one), string(merged))
		})
	}
}

// The progress is one line, not written more often than somebody can read.
func TestSweepLine(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	line := &sweepLine{progress: progress{w: &out, now: func() time.Time { return now }}}
	line.show(sweep.Progress{Rows: 9, Done: 1, Kept: 1})
	line.show(sweep.Progress{Rows: 9, Done: 2, Kept: 1, Made: 1})
	now = now.Add(progressPause)
	line.show(sweep.Progress{Rows: 9, Done: 3, Kept: 1, Made: 2, Errors: 1})
	line.clear()
	require.Equal(t, "\r1 of 9 rows, 0 of them planned now\x1b[K\r3 of 9 rows, 2 of them planned now, 1 errors\x1b[K\r\x1b[K", out.String())
}

// Where there is no terminal it says once what was there already, if that is anything, and
// to machines nothing.
func TestSweepLineElsewhere(t *testing.T) {
	for format, want := range map[diag.Format]string{diag.Text: "seqplan sweep: goes on from x.part: 4 of 9 rows are done\n", diag.JSON: ""} {
		var out bytes.Buffer
		s := streams{err: &out, found: &findings{format: format}}
		line := newSweepLine("x.part", s)
		line.show(sweep.Progress{Rows: 9, Done: 4, Kept: 4})
		line.show(sweep.Progress{Rows: 9, Done: 5, Kept: 4})
		line.clear()
		require.Equal(t, want, out.String())
		line = newSweepLine("x.part", s)
		line.show(sweep.Progress{Rows: 9})
		require.Equal(t, want, out.String())
	}
}
