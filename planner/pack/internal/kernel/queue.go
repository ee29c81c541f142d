package kernel

// queue holds boundaries to look at, each at one level at most, in the order in
// which they came.
type queue struct {
	waiting [numLevels][]int32
	level   []Level // by boundary; numLevels: not waiting
}

func newQueue(sections int32) queue {
	q := queue{level: make([]Level, sections+1)}
	for b := range q.level {
		q.level[b] = numLevels
	}
	return q
}

func (q *queue) push(l Level, b int32) {
	if q.level[b] > l {
		q.level[b] = l // an entry of a higher level is stale now
		q.waiting[l] = append(q.waiting[l], b)
	}
}

// pop returns a boundary of the lowest level, up to a highest one.
func (q *queue) pop(highest Level) (Level, int32, bool) {
	for l := range highest + 1 {
		for len(q.waiting[l]) > 0 {
			b := q.waiting[l][0]
			q.waiting[l] = q.waiting[l][1:]
			if q.level[b] == l {
				q.level[b] = numLevels
				return l, b, true
			}
		}
	}
	return 0, 0, false
}
