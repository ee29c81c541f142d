package opencl

import (
	"errors"
	"runtime"
	"unsafe"
)

// command is one enqueued command.
type command struct {
	function function
	detail   string         // the kernel's name
	event    uintptr        // cl_event
	pin      runtime.Pinner // of the Go memory that it copies from or to
}

// backlog are the commands of a queue that may still run, in order. They are
// looked at when the queue is done, or when there are many, so that a stream that
// nobody waits for does not grow.
type backlog struct {
	lib     *library
	pending []*command
	free    []*command // to be used again
	limit   int        // of pending, before they are looked at
	status  int32      // for the driver to write
	err     error      // of the first command that has failed
}

const lowLimit = 64

// next returns a command to fill in, which must be given to enqueued.
func (b *backlog) next(f function, detail string) *command {
	if len(b.pending) >= max(b.limit, lowLimit) {
		b.reap(false)
		b.limit = 2 * len(b.pending)
	}
	var c *command
	if n := len(b.free); n > 0 {
		c, b.free = b.free[n-1], b.free[:n-1]
	} else {
		c = new(command)
	}
	c.function, c.detail = f, detail
	return c
}

// enqueued takes note of what came of a command.
func (b *backlog) enqueued(c *command, code int32) error {
	if code == success {
		b.pending = append(b.pending, c)
		return nil
	}
	err := failed(c.function, code, c.detail)
	b.reuse(c)
	return err
}

func (b *backlog) reuse(c *command) {
	c.pin.Unpin()
	c.event = 0
	b.free = append(b.free, c)
}

// finish waits for all commands and returns the first error of one.
func (b *backlog) finish(queue uintptr) error {
	err := b.lib.on(clFinish, queue)
	if n := len(b.pending); n > 0 && err != nil {
		// Try again, as memory should not be let go of while a command may use it.
		b.lib.call4(clWaitForEvents, 1, uintptr(unsafe.Pointer(&b.pending[n-1].event)), 0, 0)
	}
	b.reap(false)
	err = errors.Join(err, b.err)
	b.err, b.limit = nil, 0
	return err
}

// reap forgets the commands at the front that have run or failed, or all.
func (b *backlog) reap(all bool) {
	n := 0
	for _, c := range b.pending {
		if !b.ended(c) && !all {
			break
		}
		b.forget(c)
		n++
	}
	rest := copy(b.pending, b.pending[n:])
	clear(b.pending[rest:])
	b.pending = b.pending[:rest]
}

// ended asks whether a command has run or failed. If the driver does not tell, it has
// not.
func (b *backlog) ended(c *command) bool {
	err := b.lib.ask(c.event, &b.status)
	if err == nil && b.status < eventComplete {
		err = failed(c.function, b.status, c.detail)
	}
	b.keep(err)
	return b.status <= eventComplete
}

// ask reads the execution status of an event into memory on the heap. If the driver
// does not tell, it is that of a command which has not run.
func (l *library) ask(event uintptr, status *int32) error {
	const unknown = 1
	*status = unknown
	return failed(clGetEventInfo, l.call9(clGetEventInfo, event, eventExecutionStatus, unsafe.Sizeof(*status),
		uintptr(unsafe.Pointer(status)), 0, 0, 0, 0, 0), "")
}

func (b *backlog) forget(c *command) {
	b.keep(b.lib.on(clReleaseEvent, c.event))
	b.reuse(c)
}

func (b *backlog) keep(err error) {
	if b.err == nil {
		b.err = err
	}
}
