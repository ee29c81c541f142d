package sweep

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Shard is a part of the rows: Index, Index + Count, Index + 2 Count and so on. The zero
// value is all of them.
type Shard struct{ Index, Count int }

// maxShards is more than any batch system starts.
const maxShards = 1 << 20

var errShard = fmt.Errorf("want I/N with I from 0 to N-1 and N at most %d, or auto", maxShards)

// ParseShard reads I/N.
func ParseShard(text string) (Shard, error) {
	index, count, ok := strings.Cut(text, "/")
	i, err1 := strconv.ParseUint(index, 10, 31)
	n, err2 := strconv.ParseUint(count, 10, 31)
	if !ok || err1 != nil || err2 != nil || i >= n || n > maxShards {
		return Shard{}, errShard
	}
	return Shard{int(i), int(n)}, nil
}

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Index, max(1, s.Count)) }

func (s Shard) rows(rows int) []int {
	var out []int
	for r := s.Index; r < rows; r += max(1, s.Count) {
		out = append(out, r)
	}
	return out
}

func (s Shard) has(row int) bool { return row%max(1, s.Count) == s.Index }

// The environment that AutoShard reads.
const (
	EnvIndex      = "SEQPLAN_SHARD_INDEX" // for any batch system
	EnvCount      = "SEQPLAN_SHARD_COUNT"
	envSlurm      = "SLURM_ARRAY_TASK_ID"
	envKubernetes = "JOB_COMPLETION_INDEX"
)

// AutoShard finds the shard of a task of a batch system in its environment. The index is
// that of an array job of Slurm, of an indexed job of Kubernetes, or EnvIndex. The count
// is EnvCount; Slurm has it too.
func AutoShard(getenv func(string) string) (Shard, error) {
	name, others := "", 0
	for _, env := range []string{envKubernetes, envSlurm, EnvIndex} {
		if getenv(env) != "" {
			name = env
			others++
		}
	}
	switch {
	case name == "":
		return Shard{}, fmt.Errorf("no index of an array job in the environment: want %s (Slurm), %s (Kubernetes) or %s (such as $(Process) in HTCondor)", envSlurm, envKubernetes, EnvIndex)
	case others > 1 && name != EnvIndex:
		return Shard{}, fmt.Errorf("both %s and %s are set: say with %s and %s which shard it is", envSlurm, envKubernetes, EnvIndex, EnvCount)
	}
	index, err := number(getenv, name)
	if err != nil {
		return Shard{}, err
	}
	if getenv(EnvCount) == "" {
		if name == envSlurm {
			return slurmShard(index, getenv)
		}
		return Shard{}, fmt.Errorf("%s is set, but not the number of shards: set %s to it", name, EnvCount)
	}
	count, err := number(getenv, EnvCount)
	if err != nil {
		return Shard{}, err
	}
	if count > maxShards || index >= count {
		return Shard{}, fmt.Errorf("%s is %d and %s is %d: the indices are from 0 to %s - 1, and at most %d", name, index, EnvCount, count, EnvCount, maxShards-1)
	}
	return Shard{int(index), int(count)}, nil
}

// slurmShard is a task of a Slurm array that is a whole range, with any start and step.
func slurmShard(id uint64, getenv func(string) string) (Shard, error) {
	var v [4]uint64
	for i, name := range []string{"_MIN", "_MAX", "_COUNT", "_STEP"} {
		name = strings.Replace(envSlurm, "_ID", name, 1)
		if name == "SLURM_ARRAY_TASK_STEP" && getenv(name) == "" {
			v[i] = 1
			continue
		}
		var err error
		if v[i], err = number(getenv, name); err != nil {
			return Shard{}, fmt.Errorf("%w; or set %s to the number of shards", err, EnvCount)
		}
	}
	low, high, count, step := v[0], v[1], v[2], v[3]
	if count == 0 || count > maxShards || step == 0 || low > id || id > high || (high-low)/step+1 != count || (id-low)%step != 0 {
		return Shard{}, errors.New("the tasks of the Slurm array are not a range such as --array=0-3 or 0-6:2; for some of them again set " + EnvCount + " to the number of shards, with indices from 0")
	}
	return Shard{int((id - low) / step), int(count)}, nil
}

// number reads a variable.
func number(getenv func(string) string, name string) (uint64, error) {
	text := getenv(name)
	if text == "" {
		return 0, fmt.Errorf("%s is not set", name)
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%s is %q, not a whole number", name, text)
	}
	return n, nil
}
