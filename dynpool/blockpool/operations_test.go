package blockpool_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/dynpool/blockpool"
)

// TestModel plays random operations, and compares the pool with the model after each.
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.OneOf(rapid.Uint64Range(1, 200), rapid.Uint64Range(1, 2000), rapid.Uint64Range(1, 20_000))
		opts := blockpool.Options{
			Limit:  rapid.SampledFrom([]uint64{0, 1024, 4096, 10_001}).Draw(t, "limit"),
			Expand: rapid.SampledFrom([]uint64{0, 100, 1024, 5000}).Draw(t, "expand"),
		}
		opts.Size = rapid.SampledFrom([]uint64{0, 64, 1000, 4096}).Draw(t, "size")
		if opts.Limit != 0 {
			opts.Size = min(opts.Size, opts.Limit)
		}
		memory := rapid.SampledFrom([]uint64{math.MaxUint64, 4096, 9999}).Draw(t, "memory")
		m := newModel(t, opts, memory, rapid.Bool().Draw(t, "wait"))
		index := rapid.IntRange(0, 1000)
		t.Repeat(map[string]func(*rapid.T){
			"alloc":   func(t *rapid.T) { m.alloc(size.Draw(t, "size")) },
			"alloc2":  func(t *rapid.T) { m.alloc(size.Draw(t, "size")) },
			"free":    func(t *rapid.T) { m.free(index.Draw(t, "which")) },
			"stale":   func(t *rapid.T) { m.stale(index.Draw(t, "which")) },
			"trim":    func(*rapid.T) { m.trim() },
			"require": func(t *rapid.T) { m.require(index.Draw(t, "which"), size.Draw(t, "size")) },
		})
		m.close()
	})
}

// TestOptionsNearExhaustion fills pools with every pair of options up to where nothing
// more fits, frees every other block, and fills them again.
func TestOptionsNearExhaustion(t *testing.T) {
	for _, size := range []uint64{0, 64, 992, 2048} {
		for _, limit := range []uint64{0, 1000, 2048, 4096} {
			for _, expand := range []uint64{0, 96, 1024, 8192} {
				for _, memory := range []uint64{1024, 4000} {
					for _, wait := range []bool{false, true} {
						if limit != 0 && size > limit || size > memory {
							continue
						}
						m := newModel(t, blockpool.Options{Size: size, Limit: limit, Expand: expand}, memory, wait)
						for i := range uint64(12) {
							m.alloc(1 + i*97%400)
						}
						for i := range 6 {
							m.free(i)
						}
						for i := range uint64(12) {
							m.alloc(1 + i*i*61%900)
							m.require(int(i), 1+i*211%1500)
						}
						m.close()
					}
				}
			}
		}
	}
}

// FuzzOperations reads the options and then operations from a string of bytes.
func FuzzOperations(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("\x13\x42" + "a\x10\x00a\x20\x00f\x00\x00a\x08\x00t\x00\x00"))
	f.Add([]byte("\xff\x07" + "r\x10\x00r\x20\x10r\x40\x01r\x80\x02a\xff\x03s\x00\x00f\x01\x00"))
	f.Add([]byte("\x21\x83" + "a\xff\x00a\xff\x00a\xff\x00f\x01\x00f\x00\x00f\x00\x00a\xff\x02"))
	f.Add([]byte("\x5a\x1f" + "a\x01\x00r\x01\x01a\x02\x02f\x00\x01t\x00\x00r\xff\x01a\x40\x00"))
	f.Fuzz(func(t *testing.T, ops []byte) {
		if len(ops) < 2 || len(ops) > 600 {
			return
		}
		limit := uint64(ops[0]%16) * 600
		opts := blockpool.Options{Size: min(uint64(ops[0]/16)*300, limit), Limit: limit, Expand: uint64(ops[1]%8) * 500}
		m := newModel(t, opts, max(opts.Size, 1000+uint64(ops[1]/16)*400), ops[1]&8 != 0)
		for ops = ops[2:]; len(ops) >= 3; ops = ops[3:] {
			n := uint64(ops[1]) + uint64(ops[2])*256
			switch ops[0] % 8 {
			default:
				m.alloc(1 + n%4096)
			case 'f' % 8, 'f'%8 + 1:
				m.free(int(n))
			case 's' % 8:
				m.stale(int(n))
			case 't' % 8:
				m.trim()
			case 'r' % 8:
				m.require(int(ops[2]), 1+n%4096)
			}
		}
		m.close()
	})
}
