package skyline

// trail is what a pass has changed, for it to be undone.
type trail struct{ changes []change }

type change struct {
	what uint8
	at   int32
	was  uint64
}

const (
	undoRight = iota
	undoLeft
	undoFloor
	undoPlace  // a rectangle that was placed; was is its key
	undoAside  // one that was set aside; was is its link
	undoBack   // one that was put back
	undoHead   // of a fixed rectangle
	undoAbsorb // a fixed rectangle; was are its sections
)

func (t *trail) add(what uint8, at int32, was uint64) {
	t.changes = append(t.changes, change{what, at, was})
}

// undo takes back the changes but for the first keep.
func (p *pass) undo(keep int) {
	t := p.trail
	p.steps += uint64(len(t.changes)-keep) * 2
	for len(t.changes) > keep {
		c := t.changes[len(t.changes)-1]
		t.changes = t.changes[:len(t.changes)-1]
		switch i := c.at; c.what {
		case undoRight:
			p.right[i] = int32(c.was)
		case undoLeft:
			p.left[i] = int32(c.was)
		case undoFloor:
			p.floor[i] = c.was
		case undoPlace:
			p.pick.put(int(i), uint32(c.was))
			if p.critical {
				p.rem.take(p.first[i], p.end[i], -p.size[i])
			}
		case undoAside:
			p.pick.put(int(i), p.hang.keys[i])
			p.hang.link[i] = int32(c.was)
		case undoBack:
			p.pick.take(int(i))
		case undoHead:
			p.hang.head[i] = int32(c.was)
		case undoAbsorb:
			from, to := int32(c.was>>32), int32(uint32(c.was))
			for s := from; s < to; s++ {
				p.hang.next[s]--
				p.hang.see(s)
			}
			p.rem.take(from, to, -p.hang.size[i])
		}
	}
}
