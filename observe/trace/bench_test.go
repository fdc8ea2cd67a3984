package trace_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/trace"
	"jacquard/simt"
)

// counting counts the bytes written.
type counting struct{ n int64 }

func (c *counting) Write(b []byte) (int, error) { c.n += int64(len(b)); return len(b), nil }

// BenchmarkTrace measures the cost of recording: a launch alone, with pcs and lanes, and with all
// values.
func BenchmarkTrace(b *testing.B) {
	for _, w := range workloads() {
		for _, c := range []struct {
			name    string
			record  bool
			options trace.Options
		}{
			{name: "without"}, {name: "lanes", record: true}, {name: "values", record: true, options: trace.Options{Values: trace.Values{Registers: true, Addresses: true, Data: true}}},
		} {
			b.Run(w.kernel+"/"+c.name, func(b *testing.B) {
				l := w.launch(b, "")
				out := &counting{}
				r, err := trace.NewRecorder(out, c.options, nil)
				require.NoError(b, err)
				var issues uint64
				for number := 0; b.Loop(); number++ {
					end := func(error) {}
					one := *l
					if c.record {
						end = r.Attach(&one, "", number)
					}
					s, err := simt.Run(&one)
					end(err)
					require.NoError(b, err)
					issues += s.WarpInstructions
				}
				require.NoError(b, r.Close())
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(issues), "ns/issue")
				if c.record {
					b.ReportMetric(float64(out.n)/float64(issues), "B/issue")
				}
			})
		}
	}
}
