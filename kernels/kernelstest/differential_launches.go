package kernelstest

import (
	"slices"

	"github.com/seqplan/seqplan/kernels"
	"github.com/seqplan/seqplan/kernels/abi"
)

// launch adds a launch of a kernel.
func (d *drawer) launch(name string, args ...uint64) {
	l := Launch{Kernel: AllocIndex()}
	if i := slices.IndexFunc(kernels.Builtins(), func(s kernels.Signature) bool { return s.Name == name }); i >= 0 {
		l.Kernel = i
	}
	copy(l.Args[1:], args)
	d.c.Launches = append(d.c.Launches, l)
}

// launches draws two batches.
func (d *drawer) launches() {
	for range 2 {
		d.control(kernels.Reset)
		for i := range d.l.Steps {
			if d.IntN(60) == 0 {
				i += d.IntN(4) + d.IntN(2)<<62
			}
			d.control(kernels.Step, uint64(i))
			for range d.IntN(3) {
				d.between()
			}
		}
		d.control(kernels.Step, uint64(len(d.l.Steps)))
		d.poke()
	}
}

// control launches a kernel of the program, now and then with a wrong offset.
func (d *drawer) control(name string, args ...uint64) {
	control, program := d.l.ControlOffset, d.l.ProgramOffset
	switch d.IntN(400) {
	case 0:
		control += 4
	case 1:
		control += abi.LineSize
	case 2:
		control = ^uint64(7)
	case 3:
		program += 4
	case 4:
		program += 8
	case 5:
		program = ^uint64(0) - 63 + d.Uint64N(2)*56
	}
	d.launch(name, append([]uint64{control, program}, args...)...)
}

// between draws what may happen between two steps.
func (d *drawer) between() {
	switch d.IntN(12) {
	case 0, 1, 2, 3:
		d.control(kernels.Mark, d.markAt())
		for range d.IntN(4) {
			d.launch(AllocKernel, d.l.ControlOffset, d.small(), d.taken)
		}
		if d.IntN(3) == 0 {
			d.list()
		}
		if d.IntN(4) > 0 {
			d.control(kernels.Release, d.markAt())
		}
	case 4:
		if !d.quiet || d.IntN(3) == 0 {
			d.control(kernels.Release, d.markAt())
		}
	case 5:
		at := [...]uint64{0, 4, abi.LineSize, ^uint64(7)}[max(0, d.IntN(40)-36)]
		d.launch(AllocKernel, d.l.ControlOffset+at, d.small(), d.taken)
	case 6:
		d.list()
	case 7, 8:
		d.patterns(uint64(kernels.StaticPlace(d.patch+d.Uint64N(9))), patchSize-9)
	case 9:
		if n := uint64(len(d.l.Slots)); n > 0 && !d.wild {
			d.patterns(uint64(kernels.SlotPlace(d.Uint64N(n))), 1+d.Uint64N(700))
		}
	case 10, 11:
		d.poke()
	}
}

// small is a size that mostly fits.
func (d *drawer) small() uint64 {
	if d.quiet && d.IntN(20) > 0 {
		return d.Uint64N(3 * d.l.ArenaAlign)
	}
	return value(d.Rand)
}

func (d *drawer) markAt() uint64 {
	switch d.IntN(40) {
	case 0:
		return d.mark + 4
	case 1:
		return ^uint64(7)
	}
	return d.mark
}

// list places a list.
func (d *drawer) list() {
	if d.IntN(3) == 0 {
		d.word(d.count, min(d.limit+1, d.Uint64N(d.limit+2)))
	}
	if d.IntN(3) == 0 {
		d.word(d.sizes+8*d.Uint64N(d.limit), d.small())
	}
	args := []uint64{d.l.ControlOffset, d.sizes, d.out, d.count, d.limit, d.wk}
	switch d.IntN(40) {
	case 0:
		args[1+d.IntN(3)] += 4
	case 1:
		args[5] += 8
	case 2:
		args[0] += 8
	case 3:
		// What leaves uint64 is refused, if it is read at all.
		d.word(d.count, 1)
		args[1+d.IntN(3)] = ^uint64(7)
	}
	for _, name := range []string{kernels.ListSum, kernels.ListScan, kernels.ListPlace} {
		d.launch(name, args...)
	}
}

// patterns fills and checks some bytes of a place of a size, and an integer in it.
func (d *drawer) patterns(place, size uint64) {
	from := d.Uint64N(size)
	to := from + d.Uint64N(size-from+1)
	if d.IntN(10) == 0 {
		from, to = to, from
	}
	seed := d.Uint64()
	if d.IntN(3) > 0 {
		d.launch(kernels.Fill, d.l.SlotsOffset, place, from, to, seed)
	}
	width := 1 + d.Uint64N(8)
	at := min(d.Uint64N(size), size-min(size, width))
	if d.IntN(3) > 0 && size > 8 {
		d.launch(kernels.Store, d.l.SlotsOffset, place, at, width, d.Uint64())
	}
	if d.IntN(2) == 0 {
		d.launch(kernels.Check, d.l.SlotsOffset, place, from, to, seed, d.report)
	}
	if d.IntN(2) == 0 && size > 8 {
		d.launch(kernels.CheckValue, d.l.SlotsOffset, place, at, width, d.Uint64(), d.report)
	}
	switch d.IntN(24) {
	case 4:
		d.launch(kernels.Fill, d.l.SlotsOffset, uint64(kernels.SlotPlace(1<<60+d.Uint64N(4))), 0, 8, seed)
	case 0:
		d.launch(kernels.Fill, d.l.SlotsOffset, d.patch, 1, ^uint64(0), seed)
	case 1:
		d.launch(kernels.Check, d.l.SlotsOffset, d.patch, 1, ^uint64(0), seed, d.report)
	case 2:
		d.launch(kernels.CheckValue, d.l.SlotsOffset, d.patch, ^uint64(0)-d.Uint64N(6), 4, seed, d.report)
	case 3:
		d.launch(kernels.Store, d.l.SlotsOffset, d.patch, 0, 9*d.Uint64N(2), seed)
		d.launch(kernels.CheckValue, d.l.SlotsOffset, d.patch, 0, 9*d.Uint64N(2), seed, d.report)
	}
}

// word lets a kernel write a word of the pool.
func (d *drawer) word(at, v uint64) {
	d.launch(kernels.Store, d.l.SlotsOffset, uint64(kernels.StaticPlace(at)), 0, 8, v)
}

// poke changes something that the host or a kernel can change.
func (d *drawer) poke() {
	line0, line1 := d.l.ControlOffset, d.l.ControlOffset+abi.LineSize
	n := uint64(len(d.l.Slots))
	small := d.Uint64N(20) * d.l.ArenaAlign
	kinds := 12
	if d.quiet && d.IntN(10) > 0 {
		kinds = 6 // those that do not make the batch fail
	}
	switch d.IntN(kinds) {
	case 0, 1:
		d.word(d.s.Offset(1)+8*d.Uint64N(8), value(d.Rand)) // a count
	case 2:
		d.word(line0+4*8, d.Uint64()) // epoch
	case 3, 4:
		d.word(line1+2*8, value(d.Rand)) // wanted
	case 5:
		d.word(line1+[...]uint64{1, 3, 4, 5, 7}[d.IntN(5)]*8, value(d.Rand))
	case 6:
		d.word(line0+5*8, d.Uint64N(2)|d.Uint64N(n+2)<<abi.FaultShift|d.Uint64N(2)<<d.IntN(32))
		d.launch(AllocKernel, d.l.ControlOffset, d.small(), d.taken)
	case 7:
		d.word(d.mark, []uint64{small, value(d.Rand)}[d.IntN(2)])
	case 8:
		d.word(d.l.ExtentsOffset+8*d.Uint64N(2*(n+1)), small)
	case 9:
		if d.IntN(2) == 0 {
			d.word(d.l.ExtentsOffset, d.Uint64N(n+3))
		} else {
			d.pokeExtents()
		}
	case 10:
		if d.wild {
			d.word(line0+[...]uint64{1, 2, 3}[d.IntN(3)]*8, value(d.Rand))
			d.word(line1, value(d.Rand))
			d.list()
		} else {
			d.word(line1, 0) // the cursor
		}
	case 11:
		if d.IntN(2) == 0 {
			d.pokeSlot()
		} else {
			d.word(line1+6*8, d.Uint64N(6)) // code
		}
	}
}

// pokeSlot writes a slot that the arena may not know of. In a tame case its memory
// lies in the arena.
func (d *drawer) pokeSlot() {
	n, align := uint64(len(d.l.Slots)), d.l.ArenaAlign
	if n == 0 {
		return
	}
	at := d.l.SlotsOffset + abi.SlotSize*d.Uint64N(n)
	if d.wild {
		offset, size := value(d.Rand), value(d.Rand)
		if start := abi.ReadHostLine(d.c.Pool).ArenaStart; d.IntN(2) == 0 {
			offset, size = start+align*(d.Uint64N(20)-3), align*d.Uint64N(6) // a little below, or above the cursor
		}
		d.word(at, offset)
		d.word(at+8, size)
		return
	}
	room := uint64(len(d.c.Pool)) - d.l.Device.Size
	if room > 2*align {
		offset := d.Uint64N(room - 2*align)
		if d.IntN(3) > 0 {
			offset = offset / align * align
		}
		d.word(at+8, 0)
		d.word(at, d.l.Device.Size+offset)
		d.word(at+8, d.Uint64N(room-align-offset))
	}
}

// pokeExtents writes a whole table of extents, which is nearly right.
func (d *drawer) pokeExtents() {
	n := d.Uint64N(uint64(len(d.l.Slots)) + 1)
	end := d.Uint64N(2)
	for i := range n {
		size := 1 + d.Uint64N(3)
		d.word(d.l.ExtentsOffset+abi.ExtentSize*(i+1), end*d.l.ArenaAlign)
		d.word(d.l.ExtentsOffset+abi.ExtentSize*(i+1)+8, size*d.l.ArenaAlign)
		end += size
		if d.IntN(12) > 0 {
			end += 1 + d.Uint64N(2)
		}
	}
	d.word(d.l.ExtentsOffset, n)
	if d.IntN(2) == 0 {
		d.word(d.l.ControlOffset+abi.LineSize, (end+d.Uint64N(3))*d.l.ArenaAlign*d.tame())
	}
}

// tame is 1 if the arena lies far enough in the pool for a few dozen extents, or if
// that does not matter, else 0.
func (d *drawer) tame() uint64 {
	line := abi.ReadHostLine(d.c.Pool)
	if d.wild || line.ArenaCapacity > 200*d.l.ArenaAlign {
		return 1
	}
	return 0
}
