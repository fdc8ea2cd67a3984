package trace_test

import (
	"flag"
	"math/bits"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/observe/trace"
	"jacquard/simt"
)

// readBytes is the volume of steps that BenchmarkRead reads. -read-bytes 1000000000 gives a precise
// result.
var readBytes = flag.Int64("read-bytes", 16<<20, "what the traces that BenchmarkRead reads hand out, in `bytes`")

// stepBytes is the volume of a warp-instruction in BenchmarkRead, without its values: pc, lanes and
// time.
const stepBytes = 4 + 4 + 8

// BenchmarkRead reads traces of some launches of a kernel from a file. MB/s is the volume of the
// steps: stepBytes per warp-instruction, and the words of the values of the lanes that executed.
// File-MB/s is the volume of the file.
func BenchmarkRead(b *testing.B) {
	for _, w := range workloads() {
		for _, c := range []struct {
			name    string
			options trace.Options
		}{{"lanes", trace.Options{}}, {"values", trace.Options{Values: trace.Values{Registers: true, Addresses: true, Data: true}}}} {
			b.Run(w.kernel+"/"+c.name, func(b *testing.B) {
				path := filepath.Join(b.TempDir(), "t.jqt")
				writeLaunches(b, path, &w, c.options)
				info, err := os.Stat(path)
				require.NoError(b, err)
				for b.Loop() {
					b.SetBytes(readSteps(b, path))
				}
				b.ReportMetric(float64(info.Size())*float64(b.N)/b.Elapsed().Seconds()/1e6, "file-MB/s")
			})
		}
	}
}

// writeLaunches writes a trace whose steps have at least readBytes.
func writeLaunches(b *testing.B, path string, w *workload, o trace.Options) {
	b.Helper()
	write := func(launches int64) {
		r, err := trace.Create(path, o, nil)
		require.NoError(b, err)
		l := w.launch(b, "")
		for number := range launches {
			end := r.Attach(l, "", int(number))
			_, err := simt.Run(l)
			end(err)
			require.NoError(b, err)
		}
		require.NoError(b, r.Close())
	}
	write(1)
	one := readSteps(b, path)
	write((*readBytes + one - 1) / one)
}

// readSteps reads a whole trace and returns the volume of its steps.
func readSteps(b *testing.B, path string) (decoded int64) {
	b.Helper()
	f, err := trace.Open(path)
	require.NoError(b, err)
	for s, err := range f.Steps(&trace.Filter{}) {
		if err != nil {
			b.Fatal(err)
		}
		decoded += stepBytes * int64(s.N)
		for i := range s.Values {
			decoded += 4 * int64(bits.OnesCount32(uint32(s.Values[i].Lanes)))
		}
	}
	require.NoError(b, f.Close())
	return decoded
}
