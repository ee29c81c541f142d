package csvfile

// File is a packing problem, or a result if its buffers have offsets. Two files
// whose buffers are the same are written the same.
type File struct {
	Buffers []Buffer // in the order of the rows
}

// Buffer is one row.
type Buffer struct {
	ID           string // not empty, once in a file, without control characters
	Lower, Upper uint64 // lives in [Lower, Upper), which is not empty
	Size         uint64 // in bytes, may be 0
	Align        uint64 // a power of two, in bytes; Write takes 0 as 1
	Gaps         []Gap  // ascending, disjoint; nil if there are none
	Offset       *uint64
	Hint         *uint64
	Line         int // of the file that was read, from 1; Write ignores it
}

// Gap is a part [Lower, Upper) of a lifetime in which others may use the bytes of
// the buffer, all of them or those outside the window.
type Gap struct {
	Lower, Upper uint64
	Window       *Window
}

// Window is the bytes [Lo, Hi) of a buffer, counted from its start.
type Window struct{ Lo, Hi uint64 }
