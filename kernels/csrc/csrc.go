package csrc

import (
	"bytes"
	"embed"
	"io/fs"
	"regexp"
	"strings"
)

//go:generate go run ../../gen/internal/abiheader seqplan_abi.h

//go:embed *.h *.cu
var files embed.FS

//go:embed probe/seqplan_probe.h
var probe string

//go:embed seqplan.ptx
var ptx []byte

//go:embed probe/seqplan_probe.ptx
var probePTX []byte

// Files returns the sources, to be written into a user's project: seqplan_alloc.h
// for kernels that allocate, seqplan_launch.h for the host code that launches the
// kernels, seqplan_cuda.cu for nvcc, and what they include.
func Files() fs.FS { return files }

// OpenCL returns the kernels and the inline allocation as one OpenCL C 1.2 program.
func OpenCL() string {
	e := newExpander()
	e.file("seqplan_alloc.h")
	e.file("seqplan_kernels.h")
	return e.out.String()
}

// PTX returns the kernels as PTX for sm_70 and later. Pointers and integers alike are
// parameters of 64 bits.
func PTX() []byte { return bytes.Clone(ptx) }

// ProbeOpenCL returns an OpenCL C 1.2 program with two kernels that allocate by
// themselves as those of a user do, for tests. The arguments of seqplan_test_alloc are
// base, control offset, size, and the offset of a word that gets the offset that was
// taken; one thread runs. Those of seqplan_test_contend are base, control offset, the
// offset of an array of sizes, the offset of an array of slots, and the length of
// both; all threads run.
func ProbeOpenCL() string {
	e := newExpander()
	e.text(probe)
	return e.out.String()
}

// ProbePTX returns the same kernels as PTX.
func ProbePTX() []byte { return bytes.Clone(probePTX) }

var ownInclude = regexp.MustCompile(`(?m)^#include "(.*)"\n`)

// expander puts included files in place of the lines that include them.
type expander struct {
	seen map[string]bool // also what another language includes
	out  strings.Builder
}

func newExpander() *expander {
	return &expander{seen: map[string]bool{"seqplan_port_cuda.h": true, "seqplan_port_host.h": true}}
}

func (e *expander) file(name string) {
	if e.seen[name] {
		return
	}
	e.seen[name] = true
	// A name that no file has leaves nothing, which no compiler takes.
	text, _ := files.ReadFile(name)
	e.text(string(text))
}

func (e *expander) text(text string) {
	for {
		at := ownInclude.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		e.out.WriteString(text[:at[0]])
		e.file(text[at[2]:at[3]])
		text = text[at[1]:]
	}
	e.out.WriteString(text)
}
