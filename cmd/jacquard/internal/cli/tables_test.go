package cli_test

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"jacquard/observe/table"
)

// instructionRow has the columns that the examples of docs/statistics.md use.
type instructionRow struct {
	Policy      string  `parquet:"policy"`
	Kernel      string  `parquet:"kernel"`
	Launch      int64   `parquet:"launch"`
	Hash        string  `parquet:"hash"`
	PC          int64   `parquet:"pc"`
	Class       string  `parquet:"class"`
	Instruction string  `parquet:"instruction"`
	Issues      int64   `parquet:"issues"`
	ActiveLanes []int64 `parquet:"active_lanes,list"`
}

// gatheredStats compares the kernels of the examples in docs/statistics.md, with statistics in a
// file of this name.
func gatheredStats(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	gather(t, path, "nvidia,stackless,tbc")
	return path
}

func gather(t *testing.T, path, policies string) {
	t.Helper()
	a := jacquard("compare", "--test", kernel("collatz", "."), kernel("nested", "."), "--policies", policies, "--stats", path)
	require.Zero(t, a.status, a.err)
}

// usesOf is the section of docs/statistics.md about tables.
func usesOf(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs/statistics.md"))
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(page), "\n## Tables\n")
	require.True(t, ok)
	section, _, _ = strings.Cut(section, "\n## ")
	return section
}

// The questions of docs/statistics.md have the answers that the page shows.
func TestTablesOfStatistics(t *testing.T) {
	rows, err := parquet.ReadFile[instructionRow](gatheredStats(t, "all.parquet"))
	require.NoError(t, err)
	var shown []string // outputs of DuckDB
	for _, s := range commandsOf(usesOf(t)) {
		if strings.HasPrefix(s.command, "duckdb ") {
			shown = append(shown, strings.Join(s.output, "\n")+"\n")
		}
	}
	require.Equal(t, []string{lanesByPolicy(rows), issuedMore(rows)}, shown)
	require.Contains(t, blanks.ReplaceAllString(usesOf(t), " "), classes(rows))
}

// lanesByPolicy answers the first question.
func lanesByPolicy(rows []instructionRow) string {
	issues, lanes := map[string]int64{}, map[string]int64{}
	for _, r := range rows {
		key := r.Kernel + "," + r.Policy
		issues[key] += r.Issues
		for n, v := range r.ActiveLanes {
			lanes[key] += int64(n) * v
		}
	}
	text := "kernel,policy,issues,lanes\n"
	for _, key := range sorted(issues) {
		text += fmt.Sprintf("%s,%d,%.2f\n", key, issues[key], float64(lanes[key])/float64(issues[key]))
	}
	return text
}

// issuedMore answers the second question.
func issuedMore(rows []instructionRow) string {
	type pair struct{ a, b instructionRow }
	var list []pair
	for _, a := range rows {
		for _, b := range rows {
			if a.Policy == "nvidia" && b.Policy == "stackless" && a.Kernel == b.Kernel && a.Hash == b.Hash && a.Launch == b.Launch && a.PC == b.PC {
				list = append(list, pair{a, b})
			}
		}
	}
	slices.SortFunc(list, func(x, y pair) int {
		return cmp.Or(cmp.Compare(y.a.Issues-y.b.Issues, x.a.Issues-x.b.Issues), cmp.Compare(x.a.Kernel, y.a.Kernel), cmp.Compare(x.a.PC, y.a.PC))
	})
	text := "kernel,pc,instruction,nvidia,stackless\n"
	for _, p := range list[:4] {
		text += fmt.Sprintf("%s,%d,%s,%d,%d\n", p.a.Kernel, p.a.PC, p.a.Instruction, p.a.Issues, p.b.Issues)
	}
	return text
}

// classes answers the third question, as pandas prints it except the widths.
func classes(rows []instructionRow) string {
	issues := map[string]map[string]int64{}
	for _, r := range rows {
		key := r.Kernel + " " + r.Class
		if issues[key] == nil {
			issues[key] = map[string]int64{}
		}
		issues[key][r.Policy] += r.Issues
	}
	text, last := "policy nvidia stackless tbc\nkernel class\n", ""
	for _, key := range sorted(issues) {
		name, class, _ := strings.Cut(key, " ")
		if name == last {
			name = ""
		} else {
			last = name
		}
		text += fmt.Sprintf("%s %s %d %d %d\n", name, class, issues[key]["nvidia"], issues[key]["stackless"], issues[key]["tbc"])
	}
	return text
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// Words in the examples: SQL's are in capitals, and functions have brackets.
var (
	sqlText  = regexp.MustCompile(`'[^']*'`)
	sqlAlias = regexp.MustCompile(`(?: AS |FROM '[^']*' |JOIN '[^']*' )([a-z]+)`)
	sqlWord  = regexp.MustCompile(`\b[a-z][a-z0-9_]*\b(\(?)`)
	pyWord   = regexp.MustCompile(`"([a-z0-9_]+)"`)
)

// The examples of docs/statistics.md use columns that the files have, and its tables name others.
func TestColumnsOfExamples(t *testing.T) {
	file, err := os.ReadFile(gatheredStats(t, "all.csv"))
	require.NoError(t, err)
	rows, err := csv.NewReader(bytes.NewReader(file)).ReadAll()
	require.NoError(t, err)
	columns := rows[0]
	used := 0
	section := usesOf(t)
	for _, s := range commandsOf(section) {
		_, query, ok := strings.Cut(s.command, `-c "`)
		if !ok {
			continue
		}
		known := slices.Clone(columns)
		for _, m := range sqlAlias.FindAllStringSubmatch(query, -1) {
			known = append(known, m[1])
		}
		for _, m := range sqlWord.FindAllStringSubmatch(sqlText.ReplaceAllString(query, ""), -1) {
			if m[1] == "" {
				require.Contains(t, known, m[0], query)
				used++
			}
		}
	}
	_, script, ok := strings.Cut(section, fence+"python\n")
	require.True(t, ok)
	script, _, _ = strings.Cut(script, fence)
	for _, m := range pyWord.FindAllStringSubmatch(script, -1) {
		if m[1] != "sum" {
			require.Contains(t, columns, m[1])
			used++
		}
	}
	require.Greater(t, used, 20)

	names := 0
	for line := range strings.Lines(section) {
		cell, is := strings.CutPrefix(line, "| `")
		if !is {
			continue
		}
		for name := range strings.SplitSeq(strings.SplitN(cell, "` |", 2)[0], "`, `") {
			require.Contains(t, columns, name)
			names++
		}
	}
	require.Greater(t, names, 20)
}

// Every CSV of the tool begins with the leading columns, and they are filled.
func TestLeadingColumns(t *testing.T) {
	stats := gatheredStats(t, "all.json")
	file, err := os.ReadFile(gatheredStats(t, "all.csv"))
	require.NoError(t, err)
	for what, text := range map[string]string{
		"a file":  string(file),
		"compare": fine(t, "compare", "--csv", "--test", kernel("collatz", "."), "--policies", "nvidia,stackless"),
		"kernels": fine(t, "stats", stats, "--csv"), "launches": fine(t, "stats", stats, "--csv", "--by", "launch"),
		"instructions": fine(t, "stats", stats, "--csv", "--by", "instruction"),
	} {
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		require.NoError(t, err, what)
		require.Equal(t, table.Names(), rows[0][:len(table.Names())], what)
		var leading [][]string
		for _, row := range rows[1:] {
			leading = append(leading, row[:len(table.Names())])
		}
		require.Contains(t, leading, []string{"nvidia", "gtx280", "sm_13", "collatz", "0", "3", "1", "64", "1", "1"}, what)
		require.Contains(t, leading, []string{"stackless", "gtx280", "sm_13", "collatz", "0", "3", "1", "64", "1", "1"}, what)
	}
	class, err := csv.NewReader(strings.NewReader(fine(t, "stats", stats, "--csv", "--by", "class"))).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"tbc", "gtx280", "sm_13", "", "", "3", "1", "64", "1", "1"}, class[1][:10], "two launches, of two kernels of one shape")
}

// The statistics of several policies are summed up apart, and a page is of one policy.
func TestStatisticsOfPolicies(t *testing.T) {
	path := gatheredStats(t, "all.json")
	out := fine(t, "stats", path, "--by", "program")
	require.Regexp(t, `^policy +launches .*\ntbc +2 .* 65386 .*\nnvidia +2 .* 49941 .*\nstackless +2 .* 33809 `, out)
	for _, policy := range []string{"nvidia", "stackless"} {
		alone := filepath.Join(t.TempDir(), "alone.json")
		gather(t, alone, policy)
		a := jacquard("stats", path, "--against", alone)
		require.Equal(t, 1, a.status)
		require.Len(t, regexp.MustCompile(`(?m)^`+policy+` .* 1\.000 .* 1\.000 `).FindAllString(a.out, -1), 3, a.out)
	}
	require.Contains(t, fine(t, "stats", "--table3", path), "|  | collatz | sm_13 | stackless | 36 | 1 | 10133 | 10716 |")

	a := jacquard("report", path)
	require.Equal(t, 2, a.status)
	require.Contains(t, a.err, "all.json: the launches ran under nvidia, stackless, tbc: a page is of one of these policies: choose by --policy")
	page := filepath.Join(t.TempDir(), "page.html")
	require.Equal(t, page+": 2 launches of 2 kernels\n", fine(t, "report", path, "--policy", "tbc", "-o", page))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, want := range []string{"<code>tbc</code>", "9,635"} { // issues of collatz
		require.True(t, strings.Contains(string(text), want), want)
	}
	a = jacquard("report", path, "--policy", "mimd")
	require.Equal(t, 2, a.status)
	require.Contains(t, a.err, "choose by --policy")
	a = jacquard("report", path, "--policy", "wild")
	require.Equal(t, 2, a.status)
	require.Contains(t, a.err, `--policy "wild": want nvidia`)
}

// A test is reported by one command.
func TestReportTest(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.html")
	require.Equal(t, page+": 1 launch of 1 kernel\n", fine(t, "report", "--test", kernel("nested", "."), "--arch", "sm_10", "--policy", "stackless", "-o", page))
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, want := range []string{"sm_10", "<code>stackless</code>", `id="timeline"`} {
		require.True(t, strings.Contains(string(text), want), want)
	}
	for want, args := range map[string][]string{
		"these are 21: choose one test": {kernel(".", ".")},
		"no build for sm_20":            {kernel("nested", "."), "--arch", "sm_20"},
		"--test records a trace":        {kernel("nested", "."), "--trace", "t.jqt"},
	} {
		a := jacquard(append([]string{"report", "--test"}, args...)...)
		require.NotZero(t, a.status, args)
		require.Contains(t, a.err, want)
	}
}

// A file of statistics of a comparison is refused before anything runs.
func TestCompareStatsErrors(t *testing.T) {
	for want, path := range map[string]string{
		"want a file that ends in .json, .csv or .parquet": "s.txt",
		`--stats "on": want a file`:                        "on",
		"statistics cannot be written":                     "/nonexistent/s.json",
	} {
		a := jacquard("compare", "--test", kernel("vecadd", "."), "--stats", path)
		require.NotZero(t, a.status)
		require.Empty(t, a.out)
		require.Contains(t, a.err, want)
	}
}
