package code_test

import (
	"syscall"
	"testing"
	"time"

	"jacquard/ptx/compile/code"
)

func count(f *code.Func) int {
	n := 0
	for _, b := range f.Blocks {
		n += len(b.Code) + 1
	}
	return n
}

func BenchmarkCompile(b *testing.B) {
	for _, c := range []struct {
		name string
		o    options
	}{
		{"large", options{maxRegs: 124, vars: 40, blocks: 600, ops: 24, long: true}},
		{"plain", options{maxRegs: 124, vars: 40, blocks: 600, ops: 24, long: true, plain: true}},
		{"pressed", options{maxRegs: 24, vars: 40, blocks: 600, ops: 24, long: true}},
		{"straight", options{maxRegs: 124, vars: 40, blocks: 2, ops: 16000}},
		{"small", options{maxRegs: 124, vars: 10, blocks: 10, ops: 10}},
	} {
		b.Run(c.name, func(b *testing.B) {
			f := newRandomFunc(1, c.o)
			n, rounds := count(f), 0
			used := time.Duration(0)
			for b.Loop() {
				b.StopTimer()
				k := clone(f)
				b.StartTimer()
				from := processorTime()
				r, err := code.Compile(k)
				if err != nil {
					b.Fatal(err)
				}
				used += processorTime() - from
				rounds = r.Spills.Rounds
			}
			b.ReportMetric(float64(rounds), "rounds")
			b.ReportMetric(float64(n), "instructions")
			b.ReportMetric(used.Seconds()*1000/float64(b.N), "cpu-ms")
		})
	}
}

// processorTime returns the time that the process has computed: other processes do not count.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkPasses(b *testing.B) {
	f := newRandomFunc(1, options{maxRegs: 124, vars: 40, blocks: 600, ops: 24, long: true})
	for i, p := range code.Passes() {
		b.Run(p.Name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				k := clone(f)
				for _, q := range code.Passes()[:i] {
					_ = q.Run(k)
				}
				b.StartTimer()
				_ = p.Run(k)
			}
		})
	}
	b.Run("emit", func(b *testing.B) {
		k := clone(f)
		for _, q := range code.Passes() {
			_ = q.Run(k)
		}
		for b.Loop() {
			if _, err := code.Emit(k); err != nil {
				b.Fatal(err)
			}
		}
	})
}
