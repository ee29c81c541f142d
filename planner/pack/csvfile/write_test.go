package csvfile_test

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/seqplan/seqplan/planner/pack/csvfile"
)

func written(t require.TestingT, f *csvfile.File) []byte {
	var out bytes.Buffer
	require.NoError(t, csvfile.Write(&out, f))
	return out.Bytes()
}

func TestWrite(t *testing.T) {
	a, b := buffer(0, "a", 0, 9, 8), buffer(0, `b,"c`, 1, 2, 0)
	b.Align = 0
	require.Equal(t, "id,lower,upper,size\n", string(written(t, &csvfile.File{})))
	require.Equal(t, "id,lower,upper,size\na,0,9,8\n\"b,\"\"c\",1,2,0\n", string(written(t, &csvfile.File{Buffers: []csvfile.Buffer{a, b}})))
	a.Hint = ptr(0)
	require.Equal(t, "id,lower,upper,size,hint\na,0,9,8,0\n\"b,\"\"c\",1,2,0,\n", string(written(t, &csvfile.File{Buffers: []csvfile.Buffer{a, b}})))
	a.Align, a.Offset = 4, ptr(16)
	a.Gaps = []csvfile.Gap{{Lower: 1, Upper: 3}, {Lower: 3, Upper: 5, Window: &csvfile.Window{Lo: 2, Hi: 8}}}
	require.Equal(t, `id,lower,upper,size,alignment,gaps,offset,hint
a,0,9,8,4,1-3 3-5@2:8,16,0
"b,""c",1,2,0,1,,,
`, string(written(t, &csvfile.File{Buffers: []csvfile.Buffer{a, b}})))
}

func TestWriteInvalid(t *testing.T) {
	for _, c := range []struct {
		reason string
		spoil  func(b *csvfile.Buffer)
	}{
		{"the id is empty", func(b *csvfile.Buffer) { b.ID = "" }},
		{`the id " b" has spaces around it`, func(b *csvfile.Buffer) { b.ID = " b" }},
		{`the id "b\r\nc" has a control character`, func(b *csvfile.Buffer) { b.ID = "b\r\nc" }},
		{"buffer 0 has this id already", func(b *csvfile.Buffer) { b.ID = "a" }},
		{"the lifetime [5, 5) is empty", func(b *csvfile.Buffer) { b.Lower = b.Upper }},
		{"the alignment 3 is not a power of two", func(b *csvfile.Buffer) { b.Align = 3 }},
		{"the hint 6 is not a multiple of the alignment 4", func(b *csvfile.Buffer) { b.Align, b.Hint = 4, ptr(6) }},
		{"offset 18446744073709551615 and size 8 together leave uint64", func(b *csvfile.Buffer) { b.Offset = ptr(math.MaxUint64) }},
		{"the gap [4, 6) is not inside the lifetime [1, 5)", func(b *csvfile.Buffer) { b.Gaps[0].Upper = 6 }},
		{"the window [0, 9) is not inside the 8 bytes of the buffer", func(b *csvfile.Buffer) { b.Gaps[0].Window.Hi = 9 }},
	} {
		b := buffer(0, "b", 1, 5, 8)
		b.Gaps = []csvfile.Gap{{Lower: 4, Upper: 5, Window: &csvfile.Window{Lo: 0, Hi: 8}}}
		c.spoil(&b)
		var out bytes.Buffer
		err := csvfile.Write(&out, &csvfile.File{Buffers: []csvfile.Buffer{buffer(0, "a", 0, 1, 1), b}})
		require.ErrorIs(t, err, csvfile.ErrInvalid)
		var fault *csvfile.BufferError
		require.ErrorAs(t, err, &fault)
		require.Equal(t, csvfile.BufferError{Index: 1, ID: b.ID, Reason: c.reason}, *fault)
		require.Empty(t, out.Bytes())
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteError(t *testing.T) {
	require.EqualError(t, csvfile.Write(full{}, &csvfile.File{}), "disk full")
}

// number draws small values, and the largest ones below a limit.
func number(t *rapid.T, low, high uint64, label string) uint64 {
	if rapid.Bool().Draw(t, "small") {
		high = low + min(high-low, 20)
	}
	return rapid.Uint64Range(low, high).Draw(t, label)
}

func randomBuffer(t *rapid.T, id string) csvfile.Buffer {
	b := csvfile.Buffer{ID: id, Align: 1 << rapid.IntRange(0, 63).Draw(t, "align")}
	b.Lower = number(t, 0, math.MaxUint64-1, "lower")
	b.Upper = number(t, b.Lower+1, math.MaxUint64, "upper")
	b.Size = number(t, 0, math.MaxUint64, "size")
	place := func(label string) *uint64 {
		if !rapid.Bool().Draw(t, label) {
			return nil
		}
		return ptr(number(t, 0, (math.MaxUint64-b.Size)/b.Align, label) * b.Align)
	}
	b.Offset, b.Hint = place("offset"), place("hint")
	for at := b.Lower; at < b.Upper && rapid.Bool().Draw(t, "gap"); {
		g := csvfile.Gap{Lower: number(t, at, b.Upper-1, "gap lower")}
		g.Upper = number(t, g.Lower+1, b.Upper, "gap upper")
		if b.Size > 0 && rapid.Bool().Draw(t, "window") {
			lo := number(t, 0, b.Size-1, "lo")
			g.Window = &csvfile.Window{Lo: lo, Hi: number(t, lo+1, b.Size, "hi")}
		}
		b.Gaps = append(b.Gaps, g)
		at = g.Upper
	}
	return b
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfDistinct(rapid.StringMatching(`[^\pZ\pC]([^\pC]*[^\pZ\pC])?`), rapid.ID).Draw(t, "ids")
		f := &csvfile.File{Buffers: []csvfile.Buffer{}}
		for i, id := range ids {
			b := randomBuffer(t, id)
			b.Line = i + 2
			f.Buffers = append(f.Buffers, b)
		}
		got, found := csvfile.Read("f.csv", written(t, f))
		require.Empty(t, found)
		require.Equal(t, f, got)
	})
}

// FuzzRead: what reads can be written, and reads again as the same.
func FuzzRead(f *testing.F) {
	for _, c := range faulty {
		f.Add([]byte(c.text))
	}
	f.Add([]byte("id,lower,upper,size,alignment,gaps,offset,hint\na,0,9,8,4,1-3 3-5@2:8,16,0\n\"b,\"\"\",0,1,1,,,,\n"))
	f.Add([]byte("\ufeffHINT,buffer,start,end,size\r\n\r\n ,a,0,8,8\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, found := csvfile.Read("f.csv", data)
		if first == nil {
			require.True(t, found.HasErrors())
			return
		}
		require.Empty(t, found)
		text := written(t, first)
		again, found := csvfile.Read("f.csv", text)
		require.Empty(t, found)
		require.Equal(t, string(text), string(written(t, again)))
		for i := range first.Buffers {
			first.Buffers[i].Line = i + 2
		}
		require.Equal(t, first, again)
	})
}

func BenchmarkWrite(b *testing.B) {
	f := &csvfile.File{}
	for i := range uint64(1_000_000) {
		id := "buffer" + strings.Repeat("x", int(i%3)) + string(rune('a'+i%26))
		f.Buffers = append(f.Buffers, buffer(0, id+string(rune(0x4e00+i/26%20000))+string(rune(0x4e00+i/520000)), i, i+1, i*512))
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := csvfile.Write(discard{}, f); err != nil {
			b.Fatal(err)
		}
	}
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
