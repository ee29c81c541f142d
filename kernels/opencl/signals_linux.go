package opencl

import (
	"runtime"
	"sync"
	"syscall"
	"unsafe"
)

// action is the kernel's description of how a signal is handled. Its first word is
// the handler, or 0 or 1 for none; the rest is only put back.
type action [4]uint64

// last is the highest number of a signal.
const last = 64

func sigaction(signal int, set, get *action) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal),
		uintptr(unsafe.Pointer(set)), uintptr(unsafe.Pointer(get)), 8, 0, 0)
	runtime.KeepAlive(set)
	runtime.KeepAlive(get)
}

// loading lets one call of guarded at a time look at the handlers.
var loading sync.Mutex

// guarded runs f, which may load or start a driver, and puts back the signal
// handlers that f has replaced. See the documentation of the package.
func guarded(f func() error) error {
	loading.Lock()
	defer loading.Unlock()
	var before [last + 1]action
	for s := 1; s <= last; s++ {
		sigaction(s, nil, &before[s])
	}
	defer func() {
		for s := 1; s <= last; s++ {
			var now action
			sigaction(s, nil, &now)
			// Go may have set a signal to be ignored, or to its default, meanwhile.
			replaced := before[s][0] > 1 && now[0] > 1 && now[0] != before[s][0]
			if replaced && s != int(syscall.SIGFPE) {
				sigaction(s, &before[s], nil)
			}
		}
	}()
	return f()
}
