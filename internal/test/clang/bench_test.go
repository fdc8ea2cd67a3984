package clang

import (
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/tesla"
)

// BenchmarkCompile compiles what clang 19 made at a level, from text to machine code. It reports
// the milliseconds of processor time for 10,000 lines of PTX, which hold on a busy machine, too.
func BenchmarkCompile(b *testing.B) {
	for _, level := range []string{"O0", "O2"} {
		files := open(b, "clang19")
		paths, err := fs.Glob(files, "*-"+level+".ptx")
		require.NoError(b, err)
		require.NotEmpty(b, paths)
		var texts [][]byte
		lines := 0
		for _, path := range paths {
			text, err := fs.ReadFile(files, path)
			require.NoError(b, err)
			texts = append(texts, text)
			lines += strings.Count(string(text), "\n")
		}
		b.Run(level, func(b *testing.B) {
			before := processor(b)
			for b.Loop() {
				for i, text := range texts {
					m, err := ptx.Parse(paths[i], text)
					require.NoError(b, err)
					_, err = compile.Compile(m, compile.Options{Arch: tesla.SM13})
					require.NoError(b, err)
				}
			}
			each := (processor(b) - before).Seconds() * 1e3 / float64(b.N)
			b.ReportMetric(1e4*each/float64(lines), "cpu-ms/10klines")
		})
	}
}

// processor returns the time that the process has computed.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
