// Package cli is the command line of seqplan: it parses flags and wires the
// libraries; it computes nothing itself. Each subcommand is one file. Data goes
// to stdout, everything else to stderr.
package cli
