package cli

import (
	"os"
	"syscall"
	"unsafe"
)

// columns asks a terminal how wide it is; 0 if it does not say.
func columns(f *os.File) int {
	var size struct{ rows, columns, x, y uint16 }
	if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size))); e != 0 {
		return 0
	}
	return int(size.columns)
}
