package compare_test

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/libcuda/driver/events"
	"jacquard/observe/table"
	"jacquard/study/compare"
)

// ran returns a launch that succeeded and left memory with these digests.
func ran(kernel string, digests ...string) events.Launch {
	e := events.Launch{
		Device: "gtx280", Arch: "sm_13", Grid: [2]int{2, 1}, Block: [3]int{64, 1, 1},
		Kernel: kernel, WarpInstructions: 10, ThreadInstructions: 200, Result: "CUDA_SUCCESS",
		Divergence: events.Divergence{MostPaths: 2, Merges: 3, PCArbitrations: 1, NoArbitrations: 9},
	}
	e.Divergence.ActiveLanes[32], e.Divergence.ActiveLanes[8] = 6, 4
	e.Divergence.BCC[4], e.Divergence.BCC[2] = 6, 4
	e.Divergence.SCC[4], e.Divergence.SCC[1] = 6, 4
	for i, d := range digests {
		e.Memory = append(e.Memory, events.Digest{Address: uint32(0x1000 * (i + 1)), Bytes: 64, SHA256: d})
	}
	return e
}

func failed(kernel, result, message string) events.Launch {
	return events.Launch{Kernel: kernel, Result: result, Message: message}
}

func refused(kernel, cause string) events.Launch {
	e := failed(kernel, "CUDA_ERROR_NOT_SUPPORTED", "the policy cannot run this kernel: "+cause)
	e.Refusal = cause
	return e
}

func run(policy string, launches ...events.Launch) compare.Run {
	for i := range launches {
		launches[i].Number = i
	}
	return compare.Run{Policy: policy, Record: &events.Record{Launches: launches}}
}

// A row of one launch has its number; the launches of a process continue the numbers of the
// processes before.
func TestProgramNumbers(t *testing.T) {
	r := run("nvidia", ran("a"), ran("b"), ran("c"), ran("d"))
	for i, of := range []struct{ pid, number int }{{1, 1}, {1, 0}, {2, 1}, {2, 0}} { // number 0 ended last
		r.Record.Launches[i].PID, r.Record.Launches[i].Number = of.pid, of.number
	}
	var kernels []string
	for i, row := range compare.Program([]compare.Run{r}) {
		require.EqualValues(t, i, *row.Launch)
		kernels = append(kernels, row.Kernel)
	}
	require.Equal(t, []string{"b", "a", "d", "c"}, kernels)
}

// Launches are paired by their numbers: a program with several threads may end them in any order.
func TestProgramPairs(t *testing.T) {
	runs := []compare.Run{run("nvidia", ran("a", "1"), ran("b", "2"), ran("a", "3")), run("mimd", ran("a", "1"), ran("b", "2"), ran("a", "3"))}
	slices.Reverse(runs[1].Record.Launches)
	require.True(t, compare.Agree(compare.Program(runs)))
	runs[1].Record.Launches[0].Memory[0].SHA256 = "x"
	rows := compare.Program(runs)
	require.Equal(t, "launch 2: the 64 bytes at 0x1000 are not what they are under nvidia", rows[1].Reason)
	require.Equal(t, compare.Same, rows[3].Outcome)
}

func TestProgram(t *testing.T) {
	broken := run("simty", ran("a", "1", "2"))
	broken.Failure = "the program ended with status 3: sums are wrong"
	list := compare.Program([]compare.Run{
		run("implicit", refused("a", "it has no stack for a call at pc 0x8")),
		run("nvidia", ran("a", "1", "2"), ran("b", "3", "2"), ran("a", "3", "4")),
		run("stackless", ran("a", "1", "2"), ran("b", "3", "2"), ran("a", "3", "4")),
		run("mimd", ran("a", "1", "2"), ran("b", "3", "x"), ran("a", "3", "4")),
		run("bfs", ran("a", "1", "2"), ran("b", "3", "2")),
		run("dfs", ran("a", "1", "2"), failed("b", "CUDA_ERROR_LAUNCH_TIMEOUT", "livelock in kernel b")),
		run("volta", ran("b", "1", "2"), ran("a", "3", "2"), ran("a", "3", "4")),
		run("pdom", ran("a", "1"), ran("b", "3", "2"), ran("a", "3", "4")),
		broken,
	})
	require.False(t, compare.Agree(list))
	list[0].Diagnosis = "it relies on luck"
	golden(t, "program.txt", func(w io.Writer) error { return compare.WriteTable(w, list, 0) })
	golden(t, "narrow.txt", func(w io.Writer) error { return compare.WriteTable(w, list, 80) })
	golden(t, "wide.txt", func(w io.Writer) error { return compare.WriteTable(w, list, 300) })
	golden(t, "program.csv", func(w io.Writer) error { return compare.WriteCSV(w, list[:3]) })
	golden(t, "program.jsonl", func(w io.Writer) error { return compare.WriteJSON(w, list[:3]) })
	require.Empty(t, compare.Program([]compare.Run{run("nvidia")}))
}

// A table fits the width that it is given, down to one figure, and loses no figure without a word.
func TestWidth(t *testing.T) {
	list := compare.Program([]compare.Run{run("nvidia", ran("a", "1")), run("mimd", failed("a", "CUDA_ERROR_LAUNCH_TIMEOUT", strings.Repeat("livelock ", 20)))})
	var all strings.Builder
	require.NoError(t, compare.WriteTable(&all, list, 0))
	require.Equal(t, 3, strings.Count(all.String(), "\n"), "nothing but the table")
	for width := 30; width < 300; width += 10 {
		var b strings.Builder
		require.NoError(t, compare.WriteTable(&b, list, width))
		table, rest, _ := strings.Cut(b.String(), "\n\n")
		for line := range strings.Lines(table) {
			require.LessOrEqual(t, len(line)-1, width)
		}
		require.Contains(t, rest, "a under mimd: failed: launch 0: livelock", width)
		head, _, _ := strings.Cut(table, "\n")
		for _, name := range []string{"issues", "scc", "no arb"} {
			at, left, _ := strings.Cut(rest, "left out at")
			require.Equal(t, !strings.Contains(head, name), strings.Contains(left, name), "%d: %s", width, name)
			require.Equal(t, strings.Contains(head, name), strings.Contains(at, " "+name+" "), "%d: %s", width, name)
		}
	}
}

// A program that ends with the same status everywhere is compared as if it had succeeded.
func TestFailedAlike(t *testing.T) {
	runs := []compare.Run{run("nvidia", ran("a", "1")), run("mimd", ran("a", "2")), run("tbc", ran("a", "1"))}
	require.False(t, compare.FailedAlike(runs))
	for i := range runs {
		runs[i].Status, runs[i].Failure = 3, "the program ended with status 3"
	}
	require.True(t, compare.FailedAlike(runs))
	list := compare.Program(runs)
	require.Equal(t, []compare.Outcome{compare.Same, compare.Differs, compare.Same}, []compare.Outcome{list[0].Outcome, list[1].Outcome, list[2].Outcome})
	runs[1].Status = 4
	require.False(t, compare.FailedAlike(runs))
	require.Equal(t, compare.Failed, compare.Program(runs)[0].Outcome)
}

func TestCounts(t *testing.T) {
	var c compare.Counts
	require.Zero(t, c.AverageLanes())
	for range 2 {
		e := ran("a")
		c.Add(&e)
	}
	require.Equal(t, 2, c.Launches)
	require.EqualValues(t, 20, c.WarpInstructions)
	require.EqualValues(t, 400, c.ThreadInstructions)
	require.Equal(t, (6*32+4*8)/10., c.AverageLanes())
	require.Equal(t, 2, c.MostPaths)
	require.EqualValues(t, 6, c.Merges)
	require.EqualValues(t, 18, c.NoArbitrations)

	var empty events.Launch // some policies issue without lanes
	empty.Divergence.ActiveLanes[0] = 30
	c.Add(&empty)
	require.Equal(t, 2*(6*32+4*8)/50., c.AverageLanes())
}

// The chart has a bar for every row, and the names of kernels and policies.
func TestChart(t *testing.T) {
	list := compare.Program([]compare.Run{run("nvidia", ran("a"), ran("b")), run("mimd", ran("a"), ran("b"))})
	var out strings.Builder
	chart := compare.Chart{Title: "Two kernels"}
	require.NoError(t, chart.Write(&out, "svg", list))
	for _, name := range []string{"nvidia", "mimd", ">a<", ">b<", "mean of active lanes", "Two kernels"} {
		require.Contains(t, out.String(), name)
	}
	require.NotContains(t, out.String(), "not run")
	value := fmt.Sprintf(">%.3g<", list[0].AverageLanes())
	require.Equal(t, 4, strings.Count(out.String(), value), "few bars have their values above them")
	for format, magic := range map[string]string{"pdf": "%PDF-", "png": "\x89PNG", "svg": "<?xml"} {
		out.Reset()
		require.NoError(t, chart.Write(&out, format, list))
		require.True(t, strings.HasPrefix(out.String(), magic), format)
		if format == "pdf" {
			require.Contains(t, out.String(), "/FontFile2", "fonts are in the file")
		}
	}
	require.Error(t, chart.Write(&out, "svg", nil))
	require.Error(t, chart.Write(&out, "gif", list))
	require.Error(t, (&compare.Chart{Metric: "x"}).Write(&out, "svg", list))

	wide := make([]compare.Row, 300) // one kernel more than a strip holds
	for i := range wide {
		wide[i] = compare.Row{Lead: table.Lead{Kernel: strings.Repeat("k", i/2+1), Policy: []string{"nvidia", "mimd"}[i%2]}, Outcome: compare.Same}
	}
	out.Reset()
	require.NoError(t, (&compare.Chart{}).Write(&out, "svg", wide))
	require.Equal(t, 3, strings.Count(out.String(), "mean of active lanes"))
}

// heights returns the heights of the coloured bars of a chart of one kernel, in units of the first.
func heights(t *testing.T, metric string, rows []compare.Row) []float64 {
	t.Helper()
	var out strings.Builder
	require.NoError(t, (&compare.Chart{Metric: metric}).Write(&out, "svg", rows))
	box := regexp.MustCompile(`<path d="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)L[^"]*" style="fill:#(0072B2|E69F00|009E73)`)
	var all []float64
	for _, m := range box.FindAllStringSubmatch(out.String(), -1) {
		low, _ := strconv.ParseFloat(m[2], 64)
		high, _ := strconv.ParseFloat(m[4], 64)
		all = append(all, high-low)
	}
	all = all[:len(all)-len(rows)] // swatches of the legend
	for i := range slices.Backward(all) {
		all[i] /= all[0]
	}
	return all
}

// Bars are as high as the figures are, and a cross is where there is none.
func TestChartMetrics(t *testing.T) {
	row := func(policy string, outcome compare.Outcome, issues, threads, transactions uint64, lanes int) compare.Row {
		r := compare.Row{Lead: table.Lead{Kernel: "k", Policy: policy}, Outcome: outcome}
		r.WarpInstructions, r.ThreadInstructions, r.Transactions = issues, threads, transactions
		r.ActiveLanes[lanes] = issues
		return r
	}
	rows := []compare.Row{
		row("nvidia", compare.Same, 100, 800, 10, 16), row("mimd", compare.Differs, 400, 800, 40, 4),
		row("bfs", compare.Refused, 0, 0, 0, 0),
	}
	require.Equal(t, []string{"lanes", "efficiency", "issues", "transactions"}, compare.Metrics())
	for metric, want := range map[string][]float64{
		"lanes": {1, 0.25}, "efficiency": {1, 0.25}, "issues": {1, 4}, "transactions": {1, 4},
	} {
		require.InDeltaSlice(t, want, heights(t, metric, rows), 0.01, metric)
	}
	var out strings.Builder
	require.NoError(t, (&compare.Chart{Metric: "issues"}).Write(&out, "svg", rows))
	require.Contains(t, out.String(), "issues, relative to nvidia")
	require.Contains(t, out.String(), "not run")
}
