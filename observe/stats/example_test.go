package stats_test

import (
	"fmt"
	"os"
	"path/filepath"

	"jacquard/decoder"
	"jacquard/observe/stats"
	"jacquard/simt"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// The statistics of a launch are written, read again and printed by instruction.
func Example() {
	kernel := simt.Kernel{Name: "k", Arch: tesla.SM13, Code: decoder.Kernel(tesla.SM13, words()), Registers: 4, Shared: 16}
	program, err := simt.Lower(kernel)
	if err != nil {
		fmt.Println(err)
		return
	}
	path := filepath.Join(os.TempDir(), fmt.Sprintf("jacquard-example-%d.json", os.Getpid()))
	defer os.Remove(path)
	w, err := stats.Create(path, &stats.Run{Program: "example"})
	if err != nil {
		fmt.Println(err)
		return
	}
	counted, err := simt.Run(&simt.Launch{Program: program, Grid: [2]int{1, 1}, Block: [3]int{40, 1, 1}, Global: mem.NewSpace(1 << 20)})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Add(&stats.Launch{Kernel: stats.Describe(&kernel), Stats: *counted}); err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
		return
	}

	run, err := stats.Load(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, l := range run.Launches {
		for i, s := range l.Stats.ByInstruction {
			fmt.Printf("%04x %d issues, %d threads: %v\n", s.PC, s.Issues, s.Threads, l.Kernel.Code[i])
		}
	}
	// Output:
	// 0000 2 issues, 40 threads: mov b32 $r1 0x1
	// 0008 2 issues, 40 threads: add b32 $r2 $r2 $r2
	// 0010 2 issues, 40 threads: exit (never) nop
}
