package page

import (
	"github.com/seqplan/seqplan/sequences"
)

// data is all that the page shows.
type data struct {
	Format  int     `json:"seqplan_page"`
	Name    text    `json:"name"`
	Source  text    `json:"source"`
	Hash    string  `json:"hash"`
	Workers int     `json:"workers"`
	Batch   text    `json:"batch"` // name of the batch-size parameter; "" if there is none
	Params  []param `json:"params"`
	Streams []text  `json:"streams,omitempty"`
	Steps   []step  `json:"steps"`
	Waits   []wait  `json:"waits"`
	Pools   []pool  `json:"pools"`
	Classes classes `json:"classes"`
	Counts  []count `json:"counts"`
	Arena   arena   `json:"arena"`
	Needs   []need  `json:"needs"` // one for each basis, the smallest first
	Fit     *fit    `json:"fit,omitempty"`
	// FitUnknown is why it is not known how large a batch fits.
	FitUnknown text       `json:"fit_unknown,omitempty"`
	Budgets    []standing `json:"budgets,omitempty"`
	Baseline   *baseline  `json:"baseline,omitempty"`
	Buffers    []buffer   `json:"buffers"`
}

type param struct {
	Name text   `json:"name"`
	Min  number `json:"min"`
	Max  number `json:"max"`
}

type step struct {
	Name   text `json:"name"`
	Host   bool `json:"host,omitempty"`
	Stream int  `json:"stream,omitempty"`
}

type wait struct {
	Step   sequences.StepID `json:"step"`
	Reason string           `json:"reason"`
}

// pool is the static pool of one scope. Live is by step, at the sizes of the plan.
type pool struct {
	Scope     string           `json:"scope"`
	Round     number           `json:"round"` // sizes are rounded up to it
	Align     number           `json:"align"` // the size is rounded up to it
	Reserved  number           `json:"reserved"`
	Size      number           `json:"size"`
	Height    number           `json:"height"`
	Bound     number           `json:"bound"`
	BoundBy   string           `json:"bound_by,omitempty"`
	BoundOf   text             `json:"bound_of,omitempty"`
	Order     bool             `json:"order,omitempty"` // the bound is of buffers in no order, not of a step
	Gap       float64          `json:"gap"`             // percent
	Optimal   bool             `json:"optimal"`
	Method    string           `json:"method"`
	Sum       number           `json:"sum"`
	Buffers   int              `json:"buffers"`
	Peak      sequences.StepID `json:"peak"`
	AtPeak    []alive          `json:"at_peak"`    // the buffers behind the bound
	PeakBytes number           `json:"peak_bytes"` // of them together, with the padding
	Capacity  *number          `json:"capacity,omitempty"`
	Live      []number         `json:"live"`
}

// alive is a buffer that takes part in a bound. Buffer is its index, -1 if there is none.
type alive struct {
	Name   text   `json:"name"`
	Buffer int    `json:"buffer"`
	Bytes  number `json:"bytes"`
}

type classes struct {
	Basis     string     `json:"basis"`
	Unbounded int        `json:"unbounded"`
	Rows      []classRow `json:"rows"`
	Total     classRow   `json:"total"`
}

type classRow struct {
	Class   string `json:"class,omitempty"`
	Scope   string `json:"scope,omitempty"`
	Buffers int    `json:"buffers"`
	Bytes   number `json:"bytes"`
	InPlace number `json:"in_place"` // of Bytes, in storage that is taken over from another buffer
}

// count is a count. Formula and Most are the indexes of the formulas of its typical value and
// of its max, -1 for one that it does not have.
type count struct {
	Name    text    `json:"name"`
	At      text    `json:"at"`
	Max     *number `json:"max,omitempty"`
	Typical *number `json:"typical,omitempty"`
	Buffers int     `json:"buffers"`
	Bytes   number  `json:"bytes"`
	Formula int     `json:"formula"`
	Most    int     `json:"most"`
}

type arena struct {
	Align number `json:"align"`
	Slots int    `json:"slots"`
	Reuse bool   `json:"reuse"` // the arena mode
}
