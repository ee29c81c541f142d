//go:build seqplan_nodevice

package devices

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels"
)

const carried = false

func backends() []backend {
	all := []backend{{"host", nothing, openHost, listHost}}
	for _, b := range []backend{{name: "opencl", narrows: numberOrText}, {name: "cuda", narrows: number}, {name: "ascend", narrows: number}} {
		err := fmt.Errorf("%s: %w: this program was built without it, with the build tag seqplan_nodevice", b.name, kernels.ErrNotSupported)
		b.open = func(string) (kernels.Device, error) { return nil, err }
		b.list = func() []Found { return []Found{{Spec: b.name, Err: err}} }
		all = append(all, b)
	}
	return all
}
