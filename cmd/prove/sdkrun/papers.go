package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"jacquard/cmd/internal/page"
	"jacquard/observe/stats"
	"jacquard/observe/stats/rollup"
	"jacquard/study/programs"
)

// The policies of both papers on the simulator's predecessor: NVIDIA's, the policy of "Étude
// comparée et simulation d'algorithmes de branchements pour le GPGPU" (2009) and the policy of
// "Stack-less SIMT reconvergence at low cost" (2011).
var compared = []string{"nvidia", "implicit", "stackless"}

// entry is a line of table 3 of the paper of 2011: instructions of a kernel in the code, and issued.
type entry struct {
	program string // in the SDK 4.2; "" if it is not there
	paper   string // the kernel's name in the paper
	kernel  string // what the kernel's name in the SDK has in it; "" if the kernel is not there
	static  int
	dynamic uint64
}

// table3 lists the lines. The SDK's matrixMul cannot start, because it needs cuBLAS.
var table3 = []entry{
	{"", "Parboil_FFT", "", 431, 8771584},
	{"fastWalshTransform", "fwtBatch1Kernel", "fwtBatch1Kernel", 108, 57212928},
	{"fastWalshTransform", "fwtBatch2Kernel", "fwtBatch2Kernel", 46, 54263808},
	{"fastWalshTransform", "modulateKernel", "modulateKernel", 24, 84246528},
	{"BlackScholes", "BlackScholesGPU", "BlackScholesGPU", 99, 5201694720},
	{"transpose", "transpose_naive", "transposeNaive", 29, 1835008},
	{"transpose", "transpose", "transposeCoalesced", 42, 2752512},
	{"quasirandomGenerator", "inverseCNDKernel", "inverseCNDKernel", 147, 3383048},
	{"sortingNetworks", "bitonicSortShared", "bitonicSortSharedP", 100, 631696},
	{"sortingNetworks", "bitonicMergeGlobal", "bitonicMergeGlobal", 43, 53760},
	{"sortingNetworks", "bitonicMergeShared", "bitonicMergeShared", 71, 212736},
	{"sortingNetworks", "bitonicSortShared1", "bitonicSortShared1", 101, 573456},
	{"binomialOptions", "binomialOptions", "binomialOptionsKernel", 109, 277266944},
	{"convolutionSeparable", "convolutionRows", "convolutionRowsKernel", 214, 39260160},
	{"convolutionSeparable", "convolutionColumns", "convolutionColumnsKernel", 234, 42946560},
	{"", "stencil_3D_16x16_order8", "", 162, 3174912},
	{"MonteCarlo", "MonteCarloOneBlock", "MonteCarloOneBlockPerOption", 129, 27394560},
	{"reduction", "reduce5_sm10", "", 40, 3900},
	{"reduction", "reduce6_sm10", "reduce6IiLj256E", 59, 318513600},
	{"dwtHaar1D", "dwtHaar1D", "dwtHaar1D", 87, 9366},
	{"", "matrixMul", "", 114, 1785600},
}

// occupied lists the programs of the SDK 4.2 whose lanes figures 5 (2011) and 7 (2009) show, and
// FDTD3d for the stencil of 2011.
var occupied = []string{
	"BlackScholes", "FDTD3d", "MonteCarlo", "binomialOptions", "convolutionSeparable", "dwtHaar1D", "fastWalshTransform",
	"histogram", "quasirandomGenerator", "reduction", "sortingNetworks", "transpose",
}

// measured holds the counts of a kernel of a program under one policy.
type measured struct {
	*rollup.Row
	warps uint64 // of all launches
}

// measure runs a program under a policy and returns its kernels in the order of their first launch.
func (s *setup) measure(program, policy string) ([]*measured, error) {
	folder, err := os.MkdirTemp("", "papers")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "s.json")
	if r := s.run(program, "JACQUARD_POLICY="+policy, "JACQUARD_STATS="+file); r.Verdict != programs.Passed {
		return nil, fmt.Errorf("%s under %s: %s: %s", program, policy, r.Verdict, r.Reason)
	}
	sums, warps := rollup.New("kernel"), map[string]uint64{}
	_, err = stats.LoadEach(file, func(l *stats.Launch) error {
		sums.Add(l)
		grid, block := l.Stats.Grid, l.Stats.Block
		warps[l.Kernel.Name] += uint64(grid[0]*grid[1]) * uint64((block[0]*block[1]*block[2]+31)/32)
		return nil
	})
	if err != nil {
		return nil, err
	}
	var kernels []*measured
	for _, r := range sums.Rows {
		kernels = append(kernels, &measured{r, warps[r.Key[0]]})
	}
	return kernels, nil
}

// papers runs the papers' programs under their policies and puts the tables into a page.
func (s *setup) papers(path string, progress io.Writer) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	kernels := map[string]map[string][]*measured{} // by program and policy
	for _, program := range occupied {
		kernels[program] = map[string][]*measured{}
		for _, policy := range compared {
			fmt.Fprintf(progress, "%s under %s\n", program, policy)
			if kernels[program][policy], err = s.measure(program, policy); err != nil {
				return err
			}
		}
	}
	filled := string(text)
	for _, part := range []struct{ name, table string }{
		{"table 3", instructions(kernels)}, {"active lanes", lanes(kernels)},
	} {
		filled, err = page.Replace(filled, "<!-- figures of make papers: "+part.name+" -->",
			"<!-- end of "+part.name+" -->", func(string) string { return "\n" + part.table + "\n" })
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return os.WriteFile(path, []byte(filled), 0o666)
}

// instructions is table 3 beside the figures here.
func instructions(kernels map[string]map[string][]*measured) string {
	rows := [][]string{{"program", "kernel", "static, paper", "static", "dynamic, paper", "dynamic", "launches", "the paper's figure is"}}
	for _, e := range table3 {
		row := []string{e.program, "`" + e.paper + "`", fmt.Sprint(e.static), "", fmt.Sprint(e.dynamic), "", "", "not in the SDK 4.2, or cannot start"}
		for _, m := range kernels[e.program]["stackless"] {
			if e.kernel != "" && strings.Contains(m.Key[0], e.kernel) {
				row[3], row[5], row[6], row[7] = fmt.Sprint(m.Static), fmt.Sprint(m.Published), fmt.Sprint(m.Launches), e.beside(m)
			}
		}
		rows = append(rows, row)
	}
	return markdown(rows)
}

// A whole number of instructions per warp divides a figure of the paper by chance, if it is small.
const leastPerWarp = 16

// beside tells how the paper's figure follows from the figure here.
func (e *entry) beside(m *measured) string {
	here, launches := m.Published, uint64(m.Launches)
	near := func(figure uint64) float64 { return 100 * (float64(e.dynamic)/float64(figure) - 1) }
	perWarp, rest := here/m.warps, here%m.warps
	switch threads := near(m.Counts.Threads); {
	case e.dynamic == here:
		return "the same"
	case here%launches == 0 && e.dynamic%(here/launches) == 0:
		return fmt.Sprintf("%d launches", e.dynamic/(here/launches))
	case rest == 0 && perWarp >= leastPerWarp && e.dynamic%perWarp == 0:
		return fmt.Sprintf("%d × %d warps", perWarp, e.dynamic/perWarp)
	case -1 < near(here) && near(here) < 1:
		return fmt.Sprintf("%+.3f %%", near(here))
	case -1 < threads && threads < 1:
		return fmt.Sprintf("%+.3f %% of the thread instructions, %d", threads, m.Counts.Threads)
	default:
		return "of other code or sizes"
	}
}

// lanes is the mean of active lanes of each kernel under each policy.
func lanes(kernels map[string]map[string][]*measured) string {
	rows := [][]string{{"program", "kernel", "`nvidia`", "`implicit`", "without `joinat`", "`stackless`", "over `nvidia`", "over `implicit`", "issues of `nvidia`", "three paths"}}
	same := 0
	for _, program := range occupied {
		all := kernels[program]
		for i, nvidia := range all["nvidia"] {
			implicit, stackless := all["implicit"][i], all["stackless"][i]
			if nvidia.Lanes() == implicit.Lanes() && nvidia.Lanes() == stackless.Lanes() {
				same++
				continue
			}
			more := func(than *measured) string {
				return fmt.Sprintf("%+.2f %%", 100*(stackless.Lanes()/than.Lanes()-1))
			}
			mean := func(lanes float64) string { return fmt.Sprintf("%.3f", lanes) }
			rows = append(rows, []string{
				program, "`" + nvidia.Key[0] + "`", mean(nvidia.Lanes()), mean(implicit.Lanes()),
				mean(implicit.Sums.AverageLanesWithoutJoinAt()), mean(stackless.Lanes()), more(nvidia), more(implicit),
				fmt.Sprintf("%+.2f %%", 100*(float64(nvidia.Counts.Issues)/float64(stackless.Counts.Issues)-1)),
				fmt.Sprint(implicit.Sums.MultipleMerges),
			})
		}
	}
	return markdown(rows) + fmt.Sprintf("\n%d kernels more have the same mean under the three policies.\n", same)
}

// markdown returns rows as a table in Markdown; the first row is its head.
func markdown(rows [][]string) string {
	table := page.Head(rows[0]...)
	for _, row := range rows[1:] {
		table += page.Row(row...)
	}
	return table
}
