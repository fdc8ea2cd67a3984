package planted

import (
	"encoding/binary"
	"fmt"

	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/simt"
	"jacquard/simt/check"
	"jacquard/simt/load"
	"jacquard/simt/mem"
	"jacquard/tesla"
)

// run returns what the checker of races finds in the launches of the kernel.
func (k *Kernel) run(policy string) (found []check.Finding, err error) {
	m, err := ptx.Parse("k.ptx", []byte(k.Text()))
	if err != nil {
		return nil, err
	}
	im, err := compile.Compile(m, compile.Options{Arch: tesla.SM13, TextLines: true})
	if err != nil {
		return nil, err
	}
	p, err := load.Program(im.Arch, &im.Kernels[0], simt.Host{})
	if err != nil {
		return nil, err
	}
	space := mem.NewSpace(1 << 24)
	arrays, err := k.place(space)
	if err != nil {
		return nil, err
	}
	data, err := load.Place(im, space, space.Alloc)
	if err != nil {
		return nil, err
	}
	race := &check.Race{Found: func(f check.Finding) { found = append(found, f) }}
	for i := range k.launches {
		params := binary.LittleEndian.AppendUint32(arrays[:8:8], uint32(i))
		params = append(params, arrays[8:]...)
		l := &simt.Launch{Program: p, Grid: [2]int{k.grid, 1}, Block: [3]int{k.shape[0], k.shape[1], 1},
			Policy: policy, Const: data.Const(&im.Kernels[0]), Params: params, Global: space,
			Watchdog: 1 << 24, Workers: 1, NoStats: true, Checker: race}
		if _, err = simt.Run(l); err != nil {
			return nil, fmt.Errorf("launch %d: %w", i, err)
		}
	}
	return found, nil
}

// place allocates global memory and returns the addresses: of results, the table and the arrays.
func (k *Kernel) place(space *mem.Space) (params []byte, err error) {
	var permuted []byte
	for _, v := range k.table {
		permuted = binary.LittleEndian.AppendUint32(permuted, v)
	}
	memory := [][]byte{make([]byte, 4*k.grid*k.threads()), permuted}
	for _, a := range k.arrays {
		if !a.shared {
			memory = append(memory, make([]byte, a.bytes))
		}
	}
	for _, b := range memory {
		at, err := space.Map(b)
		if err != nil {
			return nil, err
		}
		params = binary.LittleEndian.AppendUint32(params, at)
	}
	return params, nil
}
