// Package skyline packs large plain problems.
package skyline
