package ascendc

import (
	"embed"
	"io/fs"
)

//go:generate go run ../../gen/internal/abiheader seqplan_abi.h

//go:embed seqplan_ascend.asc *.h
var sources embed.FS

// Files returns the sources, to be written into one directory: seqplan_ascend.asc is
// the file to compile, seqplan_ascend_alloc.h is the header for kernels of a user, and
// the others are what they include.
func Files() fs.FS { return sources }
