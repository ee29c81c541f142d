// Package dl loads shared libraries at run time and calls their functions, without
// cgo. It owns the rules for finding a library and for reading memory that C owns;
// the back ends own what the functions mean.
//
// A library is never unloaded: drivers keep threads and exit handlers of their own,
// so taking their code away is not safe.
//
// With the build tag seqplan_nodevice, and on systems that package purego does not
// serve, nothing can be loaded and Open always says so with ErrNotSupported. Such a
// program has no dynamic link of its own.
package dl
