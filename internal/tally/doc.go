// Package tally counts what a host asks of a device, by standing between the two.
package tally
