// Command seqplan plans the device memory of a reconstruction sequence. See
// "seqplan help".
package main

import (
	"os"

	"github.com/seqplan/seqplan/cmd/seqplan/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
