// Command abiheader writes the header of the ABI for the device sources to the file
// that its argument names.
package main

import (
	"fmt"
	"os"

	"github.com/seqplan/seqplan/gen"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: abiheader file")
		os.Exit(2)
	}
	if _, err := gen.WriteIfChanged(os.Args[1], gen.ABIHeader()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
