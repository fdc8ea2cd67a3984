package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"

	"jacquard/cmd/internal/page"
	"jacquard/libcuda/driver/events"
	"jacquard/study/programs"
)

// pair is a kernel in both translations of its PTX: NVIDIA's and ours.
type pair struct {
	kernel       string
	launches     int
	same         int       // launches that left the same bytes in device memory
	instructions [2]uint64 // warp instructions
	threads      [2]uint64 // thread instructions
}

// compare runs programs with NVIDIA's machine code and with the code of our compiler, and prints
// the counts of their kernels as a table in Markdown.
func (s *setup) compare(w io.Writer, names []string) error {
	fmt.Fprint(w, page.Head("program", "kernel", "launches", "same memory", "NVIDIA's, warp instructions", "ours", "ratio", "lanes", "ours"))
	var all []pair
	var lost []string
	for _, name := range names {
		native := s.run(name, "JACQUARD_DIGEST=on")
		if len(native.Launches) == 0 {
			continue
		}
		ours := s.run(name, "JACQUARD_DIGEST=on", "CUDA_FORCE_PTX_JIT=1")
		if native.Verdict == programs.Passed && ours.Verdict != programs.Passed {
			lost = append(lost, name+": "+ours.Reason)
		}
		for _, p := range pairs(native.Launches, ours.Launches) {
			p.print(w, name)
			all = append(all, p)
		}
	}
	conclude(w, all)
	if err := s.concludeRegisters(w, names); err != nil {
		return err
	}
	for _, reason := range lost {
		fmt.Fprintf(w, "\nPasses with NVIDIA's code alone: %s\n", reason)
	}
	return nil
}

// pairs matches the launches of two runs, in order, by kernel. Launches that one run lacks do not
// count.
func pairs(native, ours []events.Launch) []pair {
	var list []pair
	for i := range min(len(native), len(ours)) {
		a, b := &native[i], &ours[i]
		if a.Kernel != b.Kernel {
			break
		}
		k := slices.IndexFunc(list, func(p pair) bool { return p.kernel == a.Kernel })
		if k < 0 {
			k = len(list)
			list = append(list, pair{kernel: a.Kernel})
		}
		list[k].add(a, b)
	}
	return list
}

func (p *pair) add(a, b *events.Launch) {
	p.launches++
	if sameMemory(a.Memory, b.Memory) {
		p.same++
	}
	for i, l := range [2]*events.Launch{a, b} {
		p.instructions[i] += l.WarpInstructions
		p.threads[i] += l.ThreadInstructions
	}
}

// sameMemory reports whether the allocations hold the same bytes. Variables may have different
// addresses.
func sameMemory(a, b []events.Digest) bool {
	content := func(list []events.Digest) []events.Digest {
		list = slices.Clone(list)
		for i := range list {
			list[i].Address = 0
		}
		slices.SortFunc(list, func(x, y events.Digest) int {
			return cmp.Or(cmp.Compare(x.Bytes, y.Bytes), cmp.Compare(x.SHA256, y.SHA256))
		})
		return list
	}
	return slices.Equal(content(a), content(b))
}

func (p *pair) ratio() float64 { return float64(p.instructions[1]) / float64(p.instructions[0]) }

func (p *pair) lanes(i int) float64 { return float64(p.threads[i]) / float64(p.instructions[i]) }

func (p *pair) print(w io.Writer, program string) {
	fmt.Fprintf(w, "| `%s` | `%s` | %d | %d | %d | %d | %.3f | %.2f | %.2f |\n", program, programs.Short(p.kernel, 48),
		p.launches, p.same, p.instructions[0], p.instructions[1], p.ratio(), p.lanes(0), p.lanes(1))
}

// conclude prints the figures of all kernels.
func conclude(w io.Writer, all []pair) {
	logs, same, most := 0.0, 0, 0.0
	for i := range all {
		p := &all[i]
		logs += math.Log(p.ratio())
		most = max(most, p.ratio())
		if p.same == p.launches {
			same++
		}
	}
	if len(all) > 0 {
		fmt.Fprintf(w, "\n%d kernels: %d leave the same memory; ratio of warp instructions: geometric mean %.3f, most %.3f\n",
			len(all), same, math.Exp(logs/float64(len(all))), most)
	}
}
