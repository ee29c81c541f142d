//go:build !seqplan_nodevice

package devices

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/ascend"
	"github.com/seqplan/seqplan/kernels/cuda"
	"github.com/seqplan/seqplan/kernels/opencl"
)

const carried = true

func backends() []backend {
	return []backend{
		{"host", nothing, openHost, listHost},
		{"opencl", numberOrText, openOpenCL, listOpenCL},
		{"cuda", number, openCUDA, func() []Found { return listNumbered("cuda", openCUDA) }},
		{"ascend", number, openAscend, func() []Found { return listNumbered("ascend", openAscend) }},
	}
}

// A nil *Device must not become a kernels.Device, so the errors go first.

func openOpenCL(which string) (kernels.Device, error) {
	d, err := opencl.Open(which, opencl.Options{})
	if err != nil {
		return nil, err
	}
	return d, nil
}

func openCUDA(which string) (kernels.Device, error) {
	d, err := cuda.Open(ordinal(which), cuda.Options{})
	if err != nil {
		return nil, err
	}
	return d, nil
}

func openAscend(which string) (kernels.Device, error) {
	d, err := ascend.Open(ordinal(which), ascend.Options{})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// ordinal is a number that parse has checked; none is the first device.
func ordinal(which string) int {
	n, err := strconv.ParseUint(which, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}

func listOpenCL() []Found {
	all, err := opencl.Devices(opencl.Options{})
	var found []Found
	for _, d := range all {
		f := Found{Spec: fmt.Sprintf("opencl:%d", d.Index), Name: d.Name}
		if d.Lacks != "" {
			f.Err = errors.New(d.Lacks)
		}
		found = append(found, f)
	}
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("opencl: %w: there is no device", kernels.ErrNotSupported)
	}
	if err != nil {
		found = append(found, Found{Spec: "opencl", Err: err})
	}
	return found
}

// listNumbered opens one device after the other, up to the first that it cannot.
func listNumbered(name string, open func(string) (kernels.Device, error)) []Found {
	var found []Found
	for i := 0; ; i++ {
		d, err := open(strconv.Itoa(i))
		if err == nil {
			found = append(found, Found{Spec: fmt.Sprintf("%s:%d", name, i), Name: d.Info().Name, Err: d.Close()})
			continue
		}
		if i == 0 || !errors.Is(err, kernels.ErrNotSupported) {
			found = append(found, Found{Spec: name, Err: err})
		}
		return found
	}
}
