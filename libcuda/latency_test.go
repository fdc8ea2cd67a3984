package main_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// latencies runs testdata/c/latency.c and returns its output: a name and nanoseconds per line.
func latencies(t testing.TB, exe string, cores, rounds int) [][2]string {
	t.Helper()
	stdout, stderr, err := run(t, nil, exe, vecadd, strconv.Itoa(cores), strconv.Itoa(rounds))
	require.NoError(t, err, "%s%s", stdout, stderr)
	var list [][2]string
	for line := range strings.Lines(stdout) {
		name, ns, _ := strings.Cut(strings.TrimSpace(line), " ")
		list = append(list, [2]string{name, ns})
	}
	return list
}

// BenchmarkLibrary times launches and copies of a C program and reports the fastest of many each:
// the rows of docs/performance.md.
func BenchmarkLibrary(b *testing.B) {
	exe := compile(b, "latency.c")
	for _, cores := range []int{1, 2} {
		for _, l := range latencies(b, exe, cores, 5000) {
			ns, err := strconv.ParseFloat(l[1], 64)
			require.NoError(b, err)
			b.Run(fmt.Sprintf("%s/%d-cores", l[0], cores), func(b *testing.B) { b.ReportMetric(ns, "ns/op") })
		}
	}
}

func TestLatency(t *testing.T) {
	for _, l := range latencies(t, compile(t, "latency.c"), 1, 100) {
		_, err := strconv.ParseFloat(l[1], 64)
		require.NoError(t, err, l[0])
	}
}
