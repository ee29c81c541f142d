package dynpool

import "github.com/seqplan/seqplan/kernels/abi"

// The landing area is pinned memory for what crosses between host and device: line
// 0 and the parameter values on their way out, line 1 and the slots on their way
// back. The two directions do not share bytes, because a copy out may still be
// queued when a copy back is. Each part starts on a line of its own, as it does on
// the device: some drivers copy only whole lines without waiting.

func landingSize(l *abi.Layout) uint64 {
	return paramsEnd(l) + uint64(len(l.Slots))*abi.SlotSize
}

func paramsEnd(l *abi.Layout) uint64 {
	return abi.NextLine(2*abi.LineSize + uint64(len(l.Params))*abi.WordSize)
}

func (p *Pool) hostLine() []byte   { return p.landing.Bytes()[:abi.LineSize] }
func (p *Pool) deviceLine() []byte { return p.landing.Bytes()[abi.LineSize : 2*abi.LineSize] }

func (p *Pool) paramValues() []byte {
	return p.landing.Bytes()[2*abi.LineSize:][:len(p.Layout().Params)*abi.WordSize]
}

func (p *Pool) slotTable() []byte { return p.landing.Bytes()[paramsEnd(p.Layout()):] }
