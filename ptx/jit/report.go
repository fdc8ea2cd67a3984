package jit

import (
	"fmt"
	"strings"

	"jacquard/cubin"
	"jacquard/tesla"
)

// Report returns lines about the resources of each kernel, in the form that programs know from
// NVIDIA's assembler.
func Report(img *cubin.Image) []string {
	var lines []string
	for i := range img.Kernels {
		k := &img.Kernels[i]
		lines = append(lines,
			fmt.Sprintf("ptxas info    : Compiling entry function '%s' for '%s'", k.Name, img.Arch),
			"ptxas info    : Used "+strings.Join(resources(img, k), ", "))
	}
	return lines
}

// resources lists the resources that a kernel uses, and only these.
func resources(img *cubin.Image, k *cubin.Kernel) []string {
	used := []string{fmt.Sprintf("%d registers", k.Registers)}
	if k.Local > 0 {
		used = append(used, fmt.Sprintf("%d bytes lmem", k.Local))
	}
	used = append(used, fmt.Sprintf("%d+%d bytes smem", max(k.Shared-tesla.HeaderBytes, 0), min(k.Shared, tesla.HeaderBytes)))
	banks := map[int]int{}
	for _, v := range img.Constants {
		banks[0] = max(banks[0], v.Offset+v.Bytes)
	}
	for _, s := range k.Segments {
		banks[s.Bank] = max(banks[s.Bank], s.Offset+s.Bytes)
	}
	for bank := range 16 {
		if banks[bank] > 0 {
			used = append(used, fmt.Sprintf("%d bytes cmem[%d]", banks[bank], bank))
		}
	}
	return used
}
