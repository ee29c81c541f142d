//go:build !linux

package opencl

func guarded(f func() error) error { return f() }
