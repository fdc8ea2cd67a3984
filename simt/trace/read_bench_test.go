package trace_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/simt/trace"
)

// BenchmarkRead reads traces. The rate is of what the steps hand out: 16 bytes a warp-instruction, and the values of
// the lanes that executed.
func BenchmarkRead(b *testing.B) {
	for _, w := range workloads() {
		for name, o := range map[string]trace.Options{"lanes": {}, "values": {Values: trace.Values{Registers: true, Addresses: true, Data: true}}} {
			b.Run(w.kernel+"/"+name, func(b *testing.B) {
				data, _ := recordLaunch(b, w.launch(b, ""), 1, o)
				var decoded int64
				for b.Loop() {
					f, err := trace.NewFile(bytes.NewReader(data), int64(len(data)))
					require.NoError(b, err)
					decoded = 0
					for s, err := range f.Steps(&trace.Filter{}) {
						if err != nil {
							b.Fatal(err)
						}
						decoded += 16 * int64(s.N)
						for i := range s.Values {
							decoded += 4 * int64(len(s.Values[i].Row))
						}
					}
					require.NoError(b, f.Close())
				}
				b.SetBytes(decoded)
				b.ReportMetric(float64(len(data))*float64(b.N)/b.Elapsed().Seconds()/1e6, "file-MB/s")
			})
		}
	}
}
