package main

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// openTerminal opens a pseudo terminal: what is written to the terminal can be read
// from the other end.
func openTerminal(t *testing.T) (end, terminal *os.File) {
	end, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this test needs a pseudo terminal: %v", err)
	}
	var number, unlocked int32
	for request, arg := range map[uintptr]*int32{syscall.TIOCSPTLCK: &unlocked, syscall.TIOCGPTN: &number} {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, end.Fd(), request, uintptr(unsafe.Pointer(arg))); e != 0 {
			t.Skipf("this test needs a pseudo terminal: %v", e)
		}
	}
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("this test needs a pseudo terminal: %v", err)
	}
	return end, terminal
}
