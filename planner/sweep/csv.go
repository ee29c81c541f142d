package sweep

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"github.com/seqplan/seqplan/internal/prose"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/sequences"
)

// columns of the CSV behind work, row, rows, file and the parameters.
var columns = []string{
	"error", "plan",
	"device_size", "device_height", "device_lower_bound", "device_optimal",
	"host_size", "host_height", "host_lower_bound", "host_optimal",
	"worst_sum", "worst_peak", "worst_host_sum",
	"typical_sum", "typical_peak", "typical_host_sum",
	"need_peak", "need_typical", "need_worst",
	"budgets", "exceeded", "exceeded_names", "unchecked_names",
}

// paramColumn is before the name of a parameter: no other column is called so.
const paramColumn = "param_"

// JSON returns the rows as lines of JSON.
func JSON(rows []Row) []byte {
	var out bytes.Buffer
	for _, r := range rows {
		out.Write(r.line())
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// CSV returns rows of the work as CSV with a header. A text that a spreadsheet would take
// for a formula has an apostrophe before it. What a row does not have is empty.
func (w *Work) CSV(rows []Row) []byte {
	var out bytes.Buffer
	c := csv.NewWriter(&out)
	record := []string{"work", "row", "rows", "file"}
	for _, a := range w.axes {
		record = append(record, paramColumn+a.param)
	}
	_ = c.Write(append(record, columns...)) // a buffer never fails
	for _, r := range rows {
		_ = c.Write(r.record())
	}
	c.Flush()
	return out.Bytes()
}

func (r *Row) record() []string {
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	record := []string{r.Work, strconv.Itoa(r.Row), strconv.Itoa(r.Rows), prose.Cell(r.File)}
	for _, v := range r.Params {
		record = append(record, number(v.Value))
	}
	record = append(record, prose.Cell(r.Error))
	if r.Error != "" {
		return append(record, make([]string, len(columns)-1)...)
	}
	record = append(record, r.Plan.String())
	for _, p := range []*Pool{r.Device, r.Host} {
		record = append(record, number(uint64(p.Size)), number(uint64(p.Height)), number(uint64(p.LowerBound)), strconv.FormatBool(p.Optimal))
	}
	for _, d := range []*planner.Demand{r.Arena.Worst, r.Arena.Typical} {
		if d == nil {
			record = append(record, "", "", "")
			continue
		}
		record = append(record, number(uint64(d.Sum)), number(uint64(d.Peak)), number(uint64(d.HostSum)))
	}
	for _, n := range []*sequences.Bytes{r.Need.Peak, r.Need.Typical, r.Need.Worst} {
		if n == nil {
			record = append(record, "")
			continue
		}
		record = append(record, number(uint64(*n)))
	}
	if b := r.Budgets; b != nil {
		names := func(list []string) string { return prose.Cell(strings.Join(list, " ")) }
		return append(record, strconv.Itoa(b.Number), strconv.Itoa(len(b.Exceeded)), names(b.Exceeded), names(b.Unchecked))
	}
	return append(record, "", "", "", "")
}
