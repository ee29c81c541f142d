package report_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seqplan/seqplan/internal/golden"
	"github.com/seqplan/seqplan/internal/randseq"
	"github.com/seqplan/seqplan/planner"
	"github.com/seqplan/seqplan/planner/pack"
	"github.com/seqplan/seqplan/planner/report"
	"github.com/seqplan/seqplan/sequences"
)

func trigger(t *testing.T) (*sequences.Sequence, *planner.Plan) {
	data, err := os.ReadFile("testdata/trigger.yaml")
	require.NoError(t, err)
	seq, diags := sequences.Read("trigger.yaml", data)
	require.NoError(t, diags.Err())
	p, err := planner.Make(seq, planner.Options{})
	require.NoError(t, err)
	return seq, p
}

func TestGolden(t *testing.T) {
	seq, p := trigger(t)
	fit, err := planner.Fit(seq, seq.Device.Capacity, planner.BasisWorst, planner.Options{})
	require.NoError(t, err)
	r := report.New(p, report.Options{Top: 5, Fit: &fit})
	var text, data bytes.Buffer
	require.NoError(t, r.Text(&text))
	golden.Equal(t, "testdata/trigger.txt", text.Bytes())
	require.NoError(t, r.JSON(&data))
	golden.Equal(t, "testdata/trigger.json", data.Bytes())
	var back report.Report
	require.NoError(t, json.Unmarshal(data.Bytes(), &back))
	require.Equal(t, r, &back)
}

func TestSummaryGolden(t *testing.T) {
	_, p := trigger(t)
	var summary, table bytes.Buffer
	require.NoError(t, report.Summary(&summary, p))
	golden.Equal(t, "testdata/summary.txt", summary.Bytes())
	require.NoError(t, report.ClassTable(&table, p))
	require.Contains(t, summary.String(), table.String())
}

func TestExplainGolden(t *testing.T) {
	_, p := trigger(t)
	for _, name := range []string{"cluster_offsets", "clusters", "smoothed", "tracks", "decisions", "raw_banks"} {
		var out bytes.Buffer
		require.NoError(t, report.Explain(&out, p, name))
		golden.Equal(t, "testdata/explain_"+name+".txt", out.Bytes())
	}
	require.ErrorIs(t, report.Explain(&bytes.Buffer{}, p, "ghost"), report.ErrNoBuffer)
}

// Several streams, by two policies.
func TestStreamsGolden(t *testing.T) {
	data, err := os.ReadFile("testdata/streams.yaml")
	require.NoError(t, err)
	for _, reuse := range []string{"event", "internal"} {
		text := strings.Replace(string(data), "reuse: event", "reuse: "+reuse, 1)
		seq, diags := sequences.Read("streams.yaml", []byte(text))
		require.NoError(t, diags.Err())
		p, err := planner.Make(seq, planner.Options{})
		require.NoError(t, err)
		r := report.New(p, report.Options{Top: 3})
		var out, data bytes.Buffer
		require.NoError(t, r.Text(&out))
		require.NoError(t, report.Summary(&out, p))
		require.NoError(t, report.Explain(&out, p, "space"))
		require.NoError(t, report.Explain(&out, p, "energies"))
		golden.Equal(t, "testdata/streams_"+reuse+".txt", out.Bytes())
		require.NoError(t, r.JSON(&data))
		var back report.Report
		require.NoError(t, json.Unmarshal(data.Bytes(), &back))
		require.Equal(t, r, &back)
	}
}

// The rows of the class table are a closed partition, nothing printed ends in a blank, and
// one thing is not called many.
func TestRandom(t *testing.T) {
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 9))
		c, packer := randseq.Small(r), pack.Packer(pack.Engine{Effort: pack.Quick})
		if seed%3 == 0 {
			c, packer = randseq.Streams(r), pack.FirstFit{Order: pack.ByArea}
		}
		seq, diags := sequences.Read("random.yaml", randseq.YAML(r, c))
		require.NoError(t, diags.Err())
		p, err := planner.Make(seq, planner.Options{Packer: packer})
		if err != nil {
			continue
		}
		rep := report.New(p, report.Options{})
		var total report.ClassRow
		for _, row := range rep.Classes.Rows {
			total.Buffers += row.Buffers
			total.Bytes += row.Bytes
			total.Percent += row.Percent
		}
		require.Equal(t, rep.Classes.Total.Buffers, total.Buffers)
		require.Equal(t, rep.Classes.Total.Bytes, total.Bytes)
		require.Equal(t, len(p.Buffers), total.Buffers)
		require.InDelta(t, rep.Classes.Total.Percent, total.Percent, 1e-6)
		var text bytes.Buffer
		require.NoError(t, rep.Text(&text))
		for _, b := range p.Buffers {
			require.NoError(t, report.Explain(&text, p, b.Name))
		}
		require.NotRegexp(t, `(^|[ \n])1 (steps|buffers|slots|nodes|pairs|stream waits|dynamic buffers)\b`, text.String())
		for line := range strings.Lines(text.String()) {
			require.Equal(t, strings.TrimRight(line, " \t\n"), strings.TrimSuffix(line, "\n"))
		}
	}
}

func TestBytes(t *testing.T) {
	for b, want := range map[sequences.Bytes]string{
		0: "0 B", 1023: "1023 B", 1024: "1024 B (1.0 KiB)", 892038397: "892038397 B (850.7 MiB)",
		1<<20 - 1: "1048575 B (1.0 MiB)", 5 << 30: "5368709120 B (5.0 GiB)", 1<<64 - 1: "18446744073709551615 B (16.0 EiB)",
	} {
		require.Equal(t, want, report.Bytes(b))
	}
}

// A writer that fails is reported.
func TestWriteError(t *testing.T) {
	_, p := trigger(t)
	require.ErrorIs(t, report.New(p, report.Options{}).Text(full{}), os.ErrClosed)
	require.ErrorIs(t, report.New(p, report.Options{}).JSON(full{}), os.ErrClosed)
	require.ErrorIs(t, report.Explain(full{}, p, "tracks"), os.ErrClosed)
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, os.ErrClosed }
