package streampool

import "github.com/seqplan/seqplan/dynpool/internal/extent"

// piece is a run of bytes of a pool.
type piece = extent.Extent[state]

// status says what a piece is.
type status uint8

const (
	inUse   status = iota
	ready          // free, and no work uses it any more
	pending        // free, but work before a point may still use it
)

// state is what a pool knows of a piece.
type state struct {
	status status
	freed  point  // pending: where the stream stood that freed it
	older  *piece // pending: freed in the same stream before
	newer  *piece
}

// queue are the pieces that one stream has freed and whose work is not known to have
// finished: by size, and in the order in which they were freed.
type queue struct {
	bySize         *extent.Index[state]
	oldest, newest *piece
	bytes          uint64
}

// freeList is the free memory of a pool. Neighbours that are ready are one piece, and
// so are neighbours that were freed at the same point. Others stay apart, as what was
// freed earlier can be used earlier. Only where there is no other stream, for which that
// would matter, what is freed is joined with all free neighbours.
type freeList struct {
	space  extent.Space[state]
	ready  *extent.Index[state]
	queues []queue // by index of the stream
	bytes  uint64  // in all of them
	alone  bool    // there is one stream
}

func newFreeList() freeList { return freeList{ready: extent.NewIndex[state](Quantum)} }

func (f *freeList) queue(stream int) *queue {
	for stream >= len(f.queues) {
		f.queues = append(f.queues, queue{bySize: extent.NewIndex[state](Quantum)})
	}
	return &f.queues[stream]
}

// pending is how many free bytes work may still be using.
func (f *freeList) pending() uint64 {
	var n uint64
	for i := range f.queues {
		n += f.queues[i].bytes
	}
	return n
}

// put takes in a piece that is in none of the lists and joins it with neighbours of
// its kind. One that is pending must have been freed after all others of its stream.
func (f *freeList) put(e *piece) *piece {
	val := e.Val
	if lower := e.Lower(); lower != nil && f.joins(val, lower.Val) {
		f.take(lower)
		f.space.Join(lower)
		e = lower
		e.Val = val
	}
	if upper := e.Upper(); upper != nil && f.joins(val, upper.Val) {
		f.take(upper)
		f.space.Join(e)
	}
	f.insert(e, nil)
	return e
}

// joins reports whether a piece that is put becomes one with a neighbour.
func (f *freeList) joins(e, neighbour state) bool {
	switch neighbour.status {
	case ready:
		return e.status == ready || f.alone
	case pending:
		return e.status == pending && (e.freed == neighbour.freed || f.alone && e.freed.stream == neighbour.freed.stream)
	}
	return false
}

// insert puts a piece into its list; a pending one in front of another of its stream,
// or as the newest.
func (f *freeList) insert(e, before *piece) {
	f.bytes += e.Size
	if e.Val.status == ready {
		f.ready.Insert(e)
		return
	}
	q := f.queue(e.Val.freed.stream)
	q.bySize.Insert(e)
	q.bytes += e.Size
	if before == nil {
		e.Val.older = q.newest
		q.newest = e
	} else {
		e.Val.older, e.Val.newer = before.Val.older, before
		before.Val.older = e
	}
	if e.Val.older == nil {
		q.oldest = e
	} else {
		e.Val.older.Val.newer = e
	}
}

// take takes a piece out of its list. It keeps its state.
func (f *freeList) take(e *piece) {
	f.bytes -= e.Size
	if e.Val.status == ready {
		f.ready.Remove(e)
		return
	}
	q := f.queue(e.Val.freed.stream)
	q.bySize.Remove(e)
	q.bytes -= e.Size
	if e.Val.newer == nil {
		q.newest = e.Val.older
	} else {
		e.Val.newer.Val.older = e.Val.older
	}
	if e.Val.older == nil {
		q.oldest = e.Val.newer
	} else {
		e.Val.older.Val.newer = e.Val.newer
	}
	e.Val.older, e.Val.newer = nil, nil
}

// cut takes size bytes from the start or from the end of a free piece; what is left
// stays free as it was, in its place in the order.
func (f *freeList) cut(e *piece, size uint64, fromEnd bool) *piece {
	val, newer := e.Val, e.Val.newer
	f.take(e)
	if e.Size > size {
		rest := e
		if fromEnd {
			e = f.space.Split(rest, rest.Size-size)
		} else {
			rest = f.space.Split(e, size)
		}
		val.older, val.newer = nil, nil
		rest.Val = val
		f.insert(rest, newer)
	}
	e.Val = state{}
	return e
}

// finish makes ready what was freed before points that are reached.
func (f *freeList) finish(done clock) {
	for i := range f.queues {
		q := &f.queues[i]
		for e := q.oldest; e != nil && done.covers(e.Val.freed); e = q.oldest {
			f.take(e)
			e.Val = state{status: ready}
			f.put(e)
		}
	}
}
