package replay

import (
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"jacquard/observe/bundle"
	"jacquard/simt"
	"jacquard/simt/check"
	prog "jacquard/simt/program"
	"jacquard/simt/shadow"
)

func TestZZ(t *testing.T) {
	progs := strings.Fields(os.Getenv("P"))
	modes := strings.Fields(os.Getenv("M"))
	budget, _ := time.ParseDuration(os.Getenv("T"))
	if budget == 0 {
		budget = 30 * time.Millisecond
	}
	geo := map[string]float64{}
	for _, pr := range progs {
		sum := map[string]float64{}
		type key struct{ k, m string }
		per := map[key][2]float64{}
		race := &check.Race{Found: func(check.Finding) {}}
		memo := shadow.NewMemory()
		seen := map[*prog.Program]int{}
		zz = func(l *simt.Launch) (*simt.Stats, error) {
			if seen[l.Program.Program]++; seen[l.Program.Program] > 2 {
				return simt.Run(l)
			}
			run := func(mode string) {
				x := *l
				x.Workers = 1
				x.NoStats = false
				x.InStep = 0
				var list []check.Checker
				has := func(s string) bool { return strings.Contains(mode, s) }
				if has("sync") {
					list = append(list, &check.Sync{Found: func(check.Finding) {}})
				}
				if has("race") {
					list = append(list, race)
				}
				b := &check.Bounds{Report: func(check.Finding, *prog.Op) {}}
				if has("memory") && b.Looks(x.Program.Program) {
					list = append(list, b)
				}
				x.Checker = check.Together(list...)
				if has("init") {
					memo.Run(&x, func() {}, func(check.Finding) {})
				} else {
					simt.Run(&x)
				}
			}
			begin := time.Now()
			least := map[string]time.Duration{}
			for n := 0; n < 3 || time.Since(begin) < budget && n < 50; n++ {
				for _, m := range append([]string{"none"}, modes...) {
					s := time.Now()
					run(m)
					if d := time.Since(s); least[m] == 0 || d < least[m] {
						least[m] = d
					}
				}
			}
			for m, d := range least {
				sum[m] += float64(d)
				k := key{l.Program.Kernel.Name, m}
				v := per[k]
				per[k] = [2]float64{v[0] + float64(d), v[1] + float64(least["none"])}
			}
			return simt.Run(l)
		}
		f, err := os.Open("/tmp/jqb/" + pr + ".jqb")
		if err != nil {
			t.Fatal(err)
		}
		r, err := bundle.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		r.MostMemory = 1 << 33
		e := &Engine{}
		for {
			l, err := r.Next()
			if err != nil {
				if err != io.EOF {
					fmt.Println(err)
				}
				break
			}
			if _, err := e.Run(l); err != nil {
				fmt.Println(err)
			}
		}
		f.Close()
		line := fmt.Sprintf("%-22s", pr)
		for _, m := range modes {
			line += fmt.Sprintf(" %s %.1f", m, sum[m]/sum["none"])
			geo[m] += math.Log(sum[m] / sum["none"])
		}
		fmt.Println(line)
		if os.Getenv("V") != "" {
			for k, v := range per {
				fmt.Printf("    %-40.40s %-10s %.0f %.1f\n", k.k, k.m, v[1]/1000, v[0]/v[1])
			}
		}
	}
	line := "geo                   "
	for _, m := range modes {
		line += fmt.Sprintf(" %s %.2f", m, math.Exp(geo[m]/float64(len(progs))))
	}
	fmt.Println(line)
}
