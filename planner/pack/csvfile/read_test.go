package csvfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/diag"
	"github.com/seqplan/seqplan/planner/pack/csvfile"
)

func ptr(v uint64) *uint64 { return &v }

func buffer(line int, id string, lower, upper, size uint64) csvfile.Buffer {
	return csvfile.Buffer{ID: id, Lower: lower, Upper: upper, Size: size, Align: 1, Line: line}
}

func TestRead(t *testing.T) {
	plain := []csvfile.Buffer{buffer(2, "a", 0, 3, 4), buffer(3, "b", 1, 2, 0)}
	full := buffer(2, "a", 0, 9, 8)
	full.Align, full.Offset, full.Hint = 4, ptr(16), ptr(0)
	full.Gaps = []csvfile.Gap{{Lower: 1, Upper: 3}, {Lower: 3, Upper: 5, Window: &csvfile.Window{Lo: 2, Hi: 8}}}
	lines := func(b []csvfile.Buffer, lines ...int) []csvfile.Buffer {
		b = append([]csvfile.Buffer(nil), b...)
		for i := range b {
			b[i].Line = lines[i]
		}
		return b
	}
	for _, c := range []struct {
		name, text string
		want       []csvfile.Buffer
	}{
		{"plain", "id,lower,upper,size\na,0,3,4\nb,1,2,0\n", plain},
		{"no last line break", "id,lower,upper,size\na,0,3,4\nb,1,2,0", plain},
		{"no rows", "id,lower,upper,size\n", []csvfile.Buffer{}},
		{"any order", "size,upper,id,lower\n4,3,a,0\n0,2,b,1\n", plain},
		{"buffer, start", "buffer,start,upper,size\na,0,3,4\nb,1,2,0\n", plain},
		{"buffer_id, begin, end", "buffer_id,begin,end,size\na,0,2,4\nb,1,1,0\n", plain},
		{"upper case", "ID, Lower ,\tEND,SIZE\na,0,2,4\nb,1,1,0\n", plain},
		{"CRLF, blank lines, mark", "\ufeff\r\nid,lower,upper,size\r\n  \r\na,0,3,4\r\n\r\n \t\nb,1,2,0\r\n\r\n", lines(plain, 4, 7)},
		{"quotes", "\"id\",lower,\"upper\",size\n\"a\",\"0\",3,4\n b , 1 ,\" 2 \",\t0\t\n", plain},
		{"quoted id", "id,lower,upper,size\n\"a,\"\"b\",0,3,4\n", []csvfile.Buffer{buffer(2, `a,"b`, 0, 3, 4)}},
		{"all columns", "id,lower,upper,size,alignment,gaps,offset,hint\na,0,9,8,4,1-3 3-5@2:8,16,0\n", []csvfile.Buffer{full}},
		{"all columns, end", "hint,id,lower,end,size,alignment,gaps,offset\n0,a,0,8,8,4, 1-2\t 3-4@2:8 ,16\n", []csvfile.Buffer{full}},
		{"optional ones empty", "id,lower,upper,size,alignment,gaps,offset,hint\na,0,3,4,,, ,\nb,1,2,0,0,,,\n", plain},
		{"borders", "id,lower,end,size,alignment,offset\na,0,18446744073709551614,18446744073709551615,9223372036854775808,0\n", []csvfile.Buffer{{
			ID: "a", Upper: 1<<64 - 1, Size: 1<<64 - 1, Align: 1 << 63, Offset: ptr(0), Line: 2,
		}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, found := csvfile.Read("f.csv", []byte(c.text))
			require.Empty(t, found)
			require.Equal(t, c.want, f.Buffers)
		})
	}
}

// faulty are files with all that is wrong in them.
var faulty = []struct {
	name, text string
	want       []string
}{
	{"empty", "", []string{"f.csv: error[SP0402]: the file has no header: it is empty"}},
	{"blank", "\ufeff\n \r\n", []string{"f.csv: error[SP0402]: the file has no header: it is empty"}},
	{"no header", "\n0,0,3,4\n1,0,3,4\n", []string{"f.csv:2:1: error[SP0402]: the file has no header: its first row names no column"}},
	{"header", "id,lower,uper,buffer,\n,x,x,x,x\n", []string{
		`f.csv:1:1: error[SP0405]: the column size is missing`,
		`f.csv:1:1: error[SP0405]: the column upper is missing`,
		`f.csv:1:10: error[SP0403]: unknown column "uper"`,
		`f.csv:1:15: error[SP0404]: the column id is here twice, as "id" and as "buffer"`,
		`f.csv:1:22: error[SP0403]: column 5 has no name`,
	}},
	{"upper and end", "\ufeffid,lower,upper, end,size\n", []string{
		`f.csv:1:17: error[SP0404]: the column upper is here twice, as "upper" and as "end"`,
	}},
	{"quote in the header", "id,lo\"wer,upper,size\na,0,x,1\n", []string{
		`f.csv:1:6: error[SP0401]: a quote inside a field without quotes`,
	}},
	{"quotes", "id,lower,upper,size\na\"b,0,3,4\n\"c\" ,0,3,4\nd,0,x,4\n\"e,0,3,4\nf,0,3,4\n", []string{
		`f.csv:2:2: error[SP0401]: a quote inside a field without quotes`,
		`f.csv:3:3: error[SP0401]: a quoted field is not closed, or something follows its last quote`,
		`f.csv:4:5: error[SP0410]: upper must be a whole number, found "x"`,
		`f.csv:6:9: error[SP0401]: a quoted field is not closed, or something follows its last quote, in the row that starts in line 5`,
	}},
	{"fields", "id,lower,upper,size\n a,0,3\n\nb,0,3,4, 5,6\n", []string{
		`f.csv:2:2: error[SP0406]: the row has 3 fields, the header 4`,
		`f.csv:4:10: error[SP0406]: the row has 6 fields, the header 4`,
	}},
	{"numbers", "id,begin,upper,size,alignment,offset,hint\na,-1,+3, 4.0,0x8,1_0,½\nb,,18446744073709551616,1e3,6,\"7 8\",-1\n", []string{
		`f.csv:2:3: error[SP0410]: begin must be a whole number, found "-1"`,
		`f.csv:2:6: error[SP0410]: upper must be a whole number, found "+3"`,
		`f.csv:2:10: error[SP0410]: size must be a whole number, found "4.0"`,
		`f.csv:2:14: error[SP0410]: alignment must be a whole number, found "0x8"`,
		`f.csv:2:18: error[SP0410]: offset must be a whole number, found "1_0"`,
		`f.csv:2:22: error[SP0410]: hint must be a whole number, found "½"`,
		`f.csv:3:3: error[SP0410]: begin is empty`,
		`f.csv:3:4: error[SP0411]: upper is too large: 18446744073709551616 is above 18446744073709551615`,
		`f.csv:3:25: error[SP0410]: size must be a whole number, found "1e3"`,
		`f.csv:3:29: error[SP0415]: the alignment 6 is not a power of two`,
		`f.csv:3:31: error[SP0410]: offset must be a whole number, found "7 8"`,
		`f.csv:3:37: error[SP0410]: hint must be a whole number, found "-1"`,
	}},
	{"ids", "lower,id,upper,size\n0, ,3,4\n0,\"\",3,4\n0,a,3,4\n0,b\xff,3,4\n0,\"c\nd\",3,4\n0, \"a \",3,4\n0,a,3,4\n", []string{
		`f.csv:2:4: error[SP0412]: the id is empty`,
		`f.csv:3:3: error[SP0412]: the id is empty`,
		`f.csv:5:3: error[SP0412]: the id "b\xff" is not UTF-8 text`,
		`f.csv:6:3: error[SP0412]: the id "c\nd" has a control character`,
		`f.csv:8:4: error[SP0413]: the id "a" is in line 4 already`,
		`f.csv:9:3: error[SP0413]: the id "a" is in line 4 already`,
	}},
	{"lifetimes", "id,lower,upper,size,gaps\na,3,3,1,\nb,3,2,1,2-3\n", []string{
		`f.csv:2:5: error[SP0414]: the lifetime [3, 3) is empty`,
		`f.csv:3:5: error[SP0414]: the lifetime [3, 2) is empty`,
	}},
	{"inclusive lifetimes", "id,lower,End,size,gaps\na,3,3,1,\nb,3,2,1,\nc,0,18446744073709551615,1,0-18446744073709551615\n", []string{
		`f.csv:3:5: error[SP0414]: the lifetime 3-2 is empty`,
		`f.csv:4:5: error[SP0417]: the step after End 18446744073709551615 leaves uint64`,
		`f.csv:4:28: error[SP0417]: the step after the gap "0-18446744073709551615" leaves uint64`,
	}},
	{"places", "id,lower,upper,size,alignment,offset,hint\na,0,3,4,8,4,12\nb,0,3,2,1,18446744073709551614,18446744073709551615\nc,0,3,2,,18446744073709551613,18446744073709551614\nd,0,3,x,3,5,18446744073709551615\n", []string{
		`f.csv:2:11: error[SP0416]: the offset 4 is not a multiple of the alignment 8`,
		`f.csv:2:13: error[SP0416]: the hint 12 is not a multiple of the alignment 8`,
		`f.csv:3:11: error[SP0417]: offset 18446744073709551614 and size 2 together leave uint64`,
		`f.csv:3:32: error[SP0417]: hint 18446744073709551615 and size 2 together leave uint64`,
		`f.csv:4:31: error[SP0417]: hint 18446744073709551614 and size 2 together leave uint64`,
		`f.csv:5:7: error[SP0410]: size must be a whole number, found "x"`,
		`f.csv:5:9: error[SP0415]: the alignment 3 is not a power of two`,
	}},
	{"gaps", "id,lower,upper,size,gaps\n" +
		"a,2,9,8,1-3 3-10  5-5@0:1 5 6-\n" +
		"b,2,9,8,\"  4-6 5-7\t2-3\"\n" +
		"c,2,9,8,2-9@1:1 9-9@2 -3@0:1 3:4 3-4-5 3-4@0:9@1\n" +
		"d,2,9,8,3-4@0:9 4-5@0:8 5-18446744073709551616 \"\n" +
		"e,2,9,8, 3-4@0:9 5-18446744073709551616 x-18446744073709551616\n" +
		"f,2,x,y,1-30@5:99 0-1\n", []string{
		`f.csv:2:9: error[SP0421]: the gap [1, 3) is not inside the lifetime [2, 9)`,
		`f.csv:2:13: error[SP0421]: the gap [3, 10) is not inside the lifetime [2, 9)`,
		`f.csv:2:19: error[SP0421]: the gap [5, 5) is empty`,
		`f.csv:2:19: error[SP0422]: the gap [5, 5) does not follow the gap [3, 10)`,
		`f.csv:2:27: error[SP0420]: malformed gap "5"`,
		`f.csv:2:29: error[SP0420]: malformed gap "6-"`,
		`f.csv:3:16: error[SP0422]: the gap [5, 7) does not follow the gap [4, 6)`,
		`f.csv:3:20: error[SP0422]: the gap [2, 3) does not follow the gap [5, 7)`,
		`f.csv:4:9: error[SP0423]: the window [1, 1) is empty`,
		`f.csv:4:17: error[SP0420]: malformed gap "9-9@2"`,
		`f.csv:4:23: error[SP0420]: malformed gap "-3@0:1"`,
		`f.csv:4:30: error[SP0420]: malformed gap "3:4"`,
		`f.csv:4:34: error[SP0420]: malformed gap "3-4-5"`,
		`f.csv:4:40: error[SP0420]: malformed gap "3-4@0:9@1"`,
		`f.csv:5:48: error[SP0401]: a quote inside a field without quotes`,
		`f.csv:6:10: error[SP0423]: the window [0, 9) is not inside the 8 bytes of the buffer`,
		`f.csv:6:18: error[SP0411]: a number of the gap "5-18446744073709551616" is above 18446744073709551615`,
		`f.csv:6:41: error[SP0420]: malformed gap "x-18446744073709551616"`,
		`f.csv:7:5: error[SP0410]: upper must be a whole number, found "x"`,
		`f.csv:7:7: error[SP0410]: size must be a whole number, found "y"`,
		`f.csv:7:19: error[SP0422]: the gap [0, 1) does not follow the gap [1, 30)`,
	}},
}

func TestReadFaulty(t *testing.T) {
	covered := map[diag.Code]bool{csvfile.CodeTooMany: true} // TestTooManyFaults
	for _, c := range faulty {
		t.Run(c.name, func(t *testing.T) {
			f, found := csvfile.Read("f.csv", []byte(c.text))
			require.Nil(t, f)
			var got []string
			for _, d := range found {
				covered[d.Code] = true
				got = append(got, d.Error())
			}
			require.Equal(t, strings.Join(c.want, "\n"), strings.Join(got, "\n"))
		})
	}
	for _, code := range csvfile.Codes() {
		require.True(t, covered[code], "no file has %s: %s", code, csvfile.Title(code))
	}
}

func TestHints(t *testing.T) {
	for _, c := range []struct{ text, hint string }{
		{"0,0,3,4\n", "the first row is id,lower,upper,size and perhaps alignment, gaps, offset and hint, in any order"},
		{"id,lower,uper,upper,size\n", `did you mean "upper"?`},
		{"id,lower,upper,size,colour\n", "the columns are id (buffer, buffer_id), lower (start, begin), upper or end, size, alignment, gaps, offset and hint"},
		{"id,lower,upper,size,id\n", "leave out one of them"},
		{"id,lower,upper,size,\n", "take the comma away, in the rows too"},
		{"id,lower,upper,size\na,1,1,1\n", "upper is the first step after the lifetime, end the last one in it"},
		{"id,lower,upper,size,gaps\na,1,3,1,1\n", "a gap is lo-hi or lo-hi@wlo:whi, gaps are separated by spaces"},
	} {
		_, found := csvfile.Read("f.csv", []byte(c.text))
		require.Len(t, found, 1, c.text)
		require.Equal(t, c.hint, found[0].Hint)
	}
}

// A file that is something else ends the reading, and long fields stay out of the
// messages.
func TestTooManyFaults(t *testing.T) {
	text := "id,lower,upper,size\n" + strings.Repeat("a,b\"\n", 100_001)
	_, found := csvfile.Read("f.csv", []byte(text))
	require.Len(t, found, 100_001)
	require.Equal(t, "f.csv:100002: error[SP0407]: the rest of the file is not read after 100000 faults", found[100_000].Error())

	long := strings.Repeat("9", 1<<20)
	_, found = csvfile.Read("f.csv", []byte("id,lower,upper,size,gaps\na,"+long+",x"+long+",1,"+long+"\n"))
	require.Len(t, found, 3)
	for _, d := range found {
		require.Less(t, len(d.Message), 200)
	}

	_, found = csvfile.Read("f.csv", []byte(strings.Repeat("x,", 200_000)+"id,lower,upper,size\n"))
	require.Len(t, found, 1)
	require.Equal(t, "f.csv:1:1: error[SP0402]: the file has no header: its first row has 200004 fields", found[0].Error())
	_, found = csvfile.Read("f.csv", []byte("id,lower,upper,size,gaps\na,0,3,1,"+strings.Repeat("x ", 200_000)+"\n"))
	require.Len(t, found, 100_001)
}

func TestInstances(t *testing.T) {
	const folder = "../shared/instances" // beside the checkout
	paths, err := filepath.Glob(filepath.Join("../../..", folder, "*.csv"))
	require.NoError(t, err)
	if len(paths) == 0 {
		t.Skipf("this test reads %s, which is not there", folder)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		f, found := csvfile.Read(path, data)
		require.Empty(t, found)
		require.NotEmpty(t, f.Buffers)
		var out strings.Builder
		require.NoError(t, csvfile.Write(&out, f))
		again, found := csvfile.Read(path, []byte(out.String()))
		require.Empty(t, found)
		require.Equal(t, f, again)
	}
}

// BenchmarkRead reads a million rows.
func BenchmarkRead(b *testing.B) {
	var text strings.Builder
	text.WriteString("id,lower,upper,size\n")
	for i := range 1_000_000 {
		fmt.Fprintf(&text, "buffer%d,%d,%d,%d\n", i, i, i+i%1000+1, i*512)
	}
	data := []byte(text.String())
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, found := csvfile.Read("f.csv", data); len(found) > 0 {
			b.Fatal(found)
		}
	}
}

// TestCodesAreDocumented: the docs have a row for each code.
func TestCodesAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../docs/diagnostics-csv.md")
	require.NoError(t, err)
	for _, code := range csvfile.Codes() {
		require.Contains(t, string(doc), fmt.Sprintf("| %s | ", code))
	}
}
