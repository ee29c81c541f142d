package pack

// subset is a problem with some of the buffers only, ascending, without hints.
func (p Problem) subset(buffers []int) Problem {
	at := make(map[int]int, len(buffers))
	q := Problem{Buffers: make([]Buffer, len(buffers)), Capacity: p.Capacity}
	for k, i := range buffers {
		at[i] = k
		q.Buffers[k] = p.Buffers[i]
		q.Buffers[k].Hint = nil
	}
	for _, group := range p.InPlace {
		var members []int
		for _, i := range group {
			if k, ok := at[i]; ok {
				members = append(members, k)
			}
		}
		if len(members) > 0 {
			q.InPlace = append(q.InPlace, members)
		}
	}
	for _, pair := range p.Excluded {
		i, ok := at[pair[0]]
		j, too := at[pair[1]]
		if ok && too {
			q.Excluded = append(q.Excluded, [2]int{i, j})
		}
	}
	return q
}
