package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/seqplan/seqplan/kernels/abi"
	"github.com/seqplan/seqplan/planner"
)

func runVersion(args []string, s streams) error {
	fs := newFlags("version")
	list := fs.Bool("devices", false, "also list the devices that can be opened here, and why others cannot; that starts their drivers")
	operands, err := parse(fs, args, s)
	if err != nil {
		return err
	}
	if len(operands) > 0 {
		return usagef("want no arguments")
	}
	version := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	_, err = fmt.Fprintf(s.out, "seqplan %s, device ABI %d, plan format %d, %s %s/%s\n",
		version, abi.Version, planner.PlanFormat, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if err != nil || !*list {
		return err
	}
	return listDevices(s.out)
}
