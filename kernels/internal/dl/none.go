//go:build !((linux || darwin) && (amd64 || arm64) && !android && !ios && !seqplan_nodevice)

package dl

import "errors"

// Supported tells whether this program can load libraries.
const Supported = false

var errNone = errors.New("this program was built without device back ends")

func open(string) (uintptr, error) { return 0, errNone }

func lookup(uintptr, string) uintptr { return 0 }

// Call calls the function. Here there are no functions to call.
func (f Func) Call(...uintptr) uintptr { return 0 }

// Status is Call for a function that returns a C int or enumeration.
func (f Func) Status(...uintptr) int32 { return 0 }

// Status4 is Status for at most four arguments.
func (f Func) Status4(_, _, _, _ uintptr) int32 { return 0 }

// Status12 is Status for at most twelve arguments.
func (f Func) Status12(_, _, _, _, _, _, _, _, _, _, _, _ uintptr) int32 { return 0 }
