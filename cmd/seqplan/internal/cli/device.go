package cli

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/devices"
)

// deviceFlag adds the flag that chooses a device.
func deviceFlag(fs *flag.FlagSet) *string {
	return fs.String("device", "host", "`DEVICE` to play on: "+strings.Join(devices.Names(), ", "))
}

// checkDevice finds a malformed name, a mistake of usage, before any work is done.
func checkDevice(spec string) error {
	if err := devices.Check(spec); err != nil {
		return usageError{err.Error()}
	}
	return nil
}

// withDevice opens a device, calls f with it, and closes it.
func withDevice(spec string, f func(kernels.Device) error) error {
	dev, err := devices.Open(spec)
	if err != nil {
		return err // names the back end
	}
	return errors.Join(f(dev), dev.Close())
}

// listDevices lists the devices of this machine, a line each.
func listDevices(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, d := range devices.List() {
		fmt.Fprintf(t, "  %s\t%s", d.Spec, cmp.Or(d.Name, "-"))
		if d.Err != nil {
			fmt.Fprintf(t, "\t%s", strings.ReplaceAll(d.Err.Error(), "\n", "; "))
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}

// share reads a percentage as thousandths.
func share(text string) (uint32, error) {
	number, ok := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(number, 64)
	n := math.Round(v * 10)
	if !ok || err != nil || !(v >= 0 && v <= 100) || math.Abs(v*10-n) > 1e-9 {
		return 0, errors.New("want a percentage from 0% to 100%, of at most one decimal")
	}
	return uint32(n), nil
}
