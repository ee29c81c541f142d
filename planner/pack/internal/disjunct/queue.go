package disjunct

// queue is the items whose bounds changed, first in, first out.
type queue struct {
	items []int32
	head  int
	in    []bool // by item
}

func (q *queue) len() int { return len(q.items) - q.head }

func (q *queue) push(i int32) {
	if !q.in[i] {
		q.in[i] = true
		q.items = append(q.items, i)
	}
}

func (q *queue) pop() int32 {
	i := q.items[q.head]
	q.in[i] = false
	if q.head++; q.head == len(q.items) {
		q.items, q.head = q.items[:0], 0
	}
	return i
}

func (q *queue) clear() {
	for q.len() > 0 {
		q.pop()
	}
}
