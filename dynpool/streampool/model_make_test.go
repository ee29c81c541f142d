package streampool_test

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/kernels"
)

// drawBytes draws how much a pool may keep.
func (m *model) drawBytes() uint64 {
	switch m.draw.pick(3) {
	case 0:
		return 0
	case 1:
		return ^uint64(0)
	}
	return uint64(m.draw.pick(40)) * 512
}

func (m *model) create() {
	draw := m.draw.pick
	p := &modelPool{id: len(m.pools), attrs: map[kernels.PoolAttr]uint64{follow: 1, guess: 1, depend: 1, threshold: 0}}
	if draw(5) > 0 {
		p.maxSize = uint64(2+draw(14)) * 500
	}
	m.logf("p%d: a pool of at most %d", p.id, p.maxSize)
	var err error
	p.Pool, err = m.rt.Create(props(p.maxSize))
	require.NoError(m, err)
	m.pools = append(m.pools, p)
	for _, a := range []kernels.PoolAttr{follow, guess, depend} {
		if draw(2) == 0 {
			m.set(p, a, 0)
		}
	}
	if draw(2) == 0 {
		m.set(p, threshold, m.drawBytes())
	}
}

func (m *model) attribute(p *modelPool) {
	switch a := kernels.PoolAttr(1 + m.draw.pick(8)); a {
	case follow, guess, depend:
		m.set(p, a, uint64(m.draw.pick(2)))
	case threshold:
		m.set(p, a, m.drawBytes())
	case kernels.PoolReservedHigh:
		m.set(p, a, 0)
		p.reservedHigh = p.reserved
	case kernels.PoolUsedHigh:
		m.set(p, a, 0)
		p.usedHigh = p.used
	default:
		require.ErrorIs(m, p.SetAttr(a, 0), kernels.ErrPoolAttr)
	}
}

func (m *model) set(p *modelPool, a kernels.PoolAttr, value uint64) {
	m.logf("p%d: %s = %d", p.id, a, value)
	require.NoError(m, p.SetAttr(a, value))
	if a <= threshold {
		p.attrs[a] = value
	}
}

func (m *model) open() {
	s := &modelStream{id: len(m.streamOf)}
	m.logf("open s%d", s.id)
	var err error
	s.Stream, err = m.rt.NewStream()
	require.NoError(m, err)
	m.mark(s)
	m.streams = append(m.streams, s)
}

func (m *model) close(i int) {
	s := m.streams[i]
	if len(m.streams) == 1 {
		return
	}
	m.logf("close s%d", s.id)
	m.released(s, s.Close)
	m.streams = slices.Delete(m.streams, i, i+1)
}
