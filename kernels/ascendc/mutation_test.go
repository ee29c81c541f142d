package ascendc_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels/ascendc"
	"github.com/seqplan/seqplan/kernels/ascendc/twin"
	"github.com/seqplan/seqplan/kernels/kernelstest"
)

// mutant is the sources with one thing left out.
type mutant struct {
	name  string
	files map[string]string
}

// mutations makes mutants of the sources.
type mutations struct {
	files map[string]string
	made  []mutant
}

// add adds a mutant in which a piece of a file is another text.
func (m *mutations) add(name, file string, from, to int, text string) {
	old := m.files[file]
	m.made = append(m.made, mutant{name, map[string]string{file: old[:from] + text + old[to:]}})
}

func (m *mutations) names() []string {
	var names []string
	for name := range m.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// line is where a piece of a file stands.
func (m *mutations) line(file string, at int) string {
	return fmt.Sprintf("%s:%d", file, 1+strings.Count(m.files[file][:at], "\n"))
}

// operations are the statements that keep the cache right. Their definitions are not
// calls, and end without a semicolon.
var operations = regexp.MustCompile(`\b(sync_line\([^;{]*\)|leave\(\)|AscendC::DataCacheCleanAndInvalid<[^;]*|dirty_ = true);`)

// withoutOperations leaves out one statement at a time.
func (m *mutations) withoutOperations() {
	for _, file := range m.names() {
		for _, at := range operations.FindAllStringSubmatchIndex(m.files[file], -1) {
			name, _, _ := strings.Cut(m.files[file][at[2]:at[3]], "<")
			m.add(fmt.Sprintf("without %s at %s", name, m.line(file, at[0])), file, at[0], at[1], "(void)0;")
		}
	}
}

var (
	windowClass = regexp.MustCompile(`(?s)/\*[^*]*\*/\s*class Window \{.*?\n\};\n|class Window \{.*?\n\};\n`)
	enterSync   = "sync_line(words_);\n        }\n        return at;"
	leaveSync   = "if (dirty_)\n            sync_line(words_);"
	windows     = regexp.MustCompile(`\bWindow ((?:[a-z_]+, )*[a-z_]+)(\([^;]*\))?;`)
)

// withBadWindows takes from one window at a time the right to drop what its core has
// of a line that it enters, or to write back what it has written.
func (m *mutations) withBadWindows(t *testing.T) {
	const home = "seqplan_ascend_window.h"
	class := windowClass.FindStringIndex(m.files[home])
	require.NotNil(t, class)
	text := m.files[home][class[0]:class[1]]
	require.Equal(t, 1, strings.Count(text, enterSync))
	require.Equal(t, 1, strings.Count(text, leaveSync))
	bad := func(cut string) string {
		return regexp.MustCompile(`\bWindow\b`).ReplaceAllString(strings.Replace(text, cut, strings.Replace(cut, "sync_line(words_)", "(void)0", 1), 1), "BadWindow")
	}
	for _, file := range m.names() {
		for _, at := range windows.FindAllStringSubmatchIndex(m.files[file], -1) {
			list, args := m.files[file][at[2]:at[3]], ""
			if at[4] >= 0 {
				args = m.files[file][at[4]:at[5]]
			}
			for _, name := range strings.Split(list, ", ") {
				var declared []string
				for _, other := range strings.Split(list, ", ") {
					class := "Window "
					if other == name {
						class = "BadWindow "
					}
					declared = append(declared, class+other+args+";")
				}
				add := func(kind, cut string) {
					m.add(fmt.Sprintf("%s window %s at %s", kind, name, m.line(file, at[0])), file, at[0], at[1], strings.Join(declared, " "))
					made := m.made[len(m.made)-1].files
					made[home] = m.files[home][:class[1]] + bad(cut) + m.files[home][class[1]:]
				}
				add("stale", enterSync)
				if regexp.MustCompile(`\b`+name+`\.put`).MatchString(m.files[file]) || regexp.MustCompile(`\.`+name+`\.put`).MatchString(strings.Join(m.texts(), "\n")) {
					add("lossy", leaveSync)
				}
			}
		}
	}
}

func (m *mutations) texts() []string {
	var texts []string
	for _, name := range m.names() {
		texts = append(texts, m.files[name])
	}
	return texts
}

// withoutPadding lets cores write to one line.
func (m *mutations) withoutPadding(t *testing.T) {
	for _, p := range []struct{ file, old, text string }{
		{"seqplan_ascend_list.h", "list_stride = SEQPLAN_LINE_SIZE;", "list_stride = SEQPLAN_WORD_SIZE;"},
		{"seqplan_ascend_list.h", "if (share_lines)", "if (share_lines && false)"},
		{"seqplan_ascend_pattern.h", "fill_part = SEQPLAN_LINE_SIZE;", "fill_part = SEQPLAN_WORD_SIZE;"},
		{"seqplan_ascend.asc", "return AscendC::GetBlockIdx() == 0;", "return true;"},
	} {
		at := strings.Index(m.files[p.file], p.old)
		require.GreaterOrEqual(t, at, 0, p.old)
		m.add(fmt.Sprintf("%s at %s", p.text, m.line(p.file, at)), p.file, at, at+len(p.old), p.text)
	}
}

// same reports whether a driver writes what it should. It stops the driver where it
// does not.
func same(t *testing.T, driver, cases string, want []byte) bool {
	cmd := exec.Command(driver, cases, "0", "0")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	part := make([]byte, 1<<12)
	for ok := true; ok && len(want) > 0; {
		n, err := io.ReadFull(out, part[:min(len(part), len(want))])
		ok = err == nil && bytes.Equal(part[:n], want[:n])
		if !ok {
			_ = cmd.Process.Kill()
		}
		want = want[n:]
	}
	return cmd.Wait() == nil
}

// TestMutations: without any one of the cache operations, or with two cores that write
// to one line, the differential test fails.
func TestMutations(t *testing.T) {
	b := twin.New(t)
	m := &mutations{files: make(map[string]string)}
	names, err := fs.Glob(ascendc.Files(), "seqplan_ascend*")
	require.NoError(t, err)
	for _, name := range names {
		text, err := fs.ReadFile(ascendc.Files(), name)
		require.NoError(t, err)
		m.files[name] = string(text)
	}
	m.withoutOperations()
	m.withBadWindows(t)
	m.withoutPadding(t)

	cases := slices.Collect(kernelstest.Programs(1<<20, 300))
	for seed := range uint64(40) {
		cases = append(cases, list(seed, 2))
	}
	file := write(t, cases)
	good := twin.Write(t, ascendc.Files())
	driver, err := b.Driver(good, "-O1")
	require.NoError(t, err)
	want, err := exec.Command(driver, file, "0", "0").Output()
	require.NoError(t, err)
	require.NoError(t, kernelstest.CompareCases(bytes.NewReader(want), cases))
	user, err := b.Program(good, "user")
	require.NoError(t, err)
	require.NoError(t, exec.Command(user).Run())

	for _, mutant := range m.made {
		t.Run(mutant.name, func(t *testing.T) {
			t.Parallel()
			dir := twin.Write(t, ascendc.Files())
			for name, text := range mutant.files {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
			}
			driver, err := b.Driver(dir, "-O1", "-w")
			require.NoError(t, err)
			if !same(t, driver, file, want) {
				return
			}
			// What only kernels of a user need.
			user, err := b.Program(dir, "user", "-w")
			require.NoError(t, err)
			require.Error(t, exec.Command(user).Run(), "nothing shows that it is missing")
		})
	}
}
