// Package kernels owns the device interface that the runtime is written
// against: memory, streams, events, copies and launches, and the names and
// argument lists of the kernels that every back end provides. The back ends are
// its subpackages; package abi describes what lies in device memory.
package kernels
