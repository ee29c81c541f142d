package opencl_test

import (
	"fmt"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/opencl"
)

// A kernel of a user runs on the first device.
func ExampleDevice_Load() {
	dev, err := opencl.Open("", opencl.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = dev.Load(`
__kernel void square(__global uchar *v_mem, ulong v_off, ulong n) {
	__global ulong *v = (__global ulong *)(v_mem + v_off);
	for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) v[i] *= v[i];
}`, kernels.Signature{Name: "square", Args: []kernels.ArgKind{kernels.Address, kernels.Integer}})
	if err != nil {
		fmt.Println(err)
	}
	// Allocate, copy and launch as on every kernels.Device.
	if err := dev.Close(); err != nil {
		fmt.Println(err)
	}
}
