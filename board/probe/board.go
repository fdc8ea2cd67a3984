package probe

import (
	"encoding/binary"
	"fmt"

	"jacquard/board/replay"
	"jacquard/cubin"
	"jacquard/libcuda/driver"
	"jacquard/observe/bundle"
	"jacquard/tesla"
)

// Board runs jobs: launches whose parameters are addresses of their memory and nothing else.
type Board = replay.Runner

// Real is a board behind another libcuda.
type Real struct{ *replay.OtherDriver }

// Run runs l; all of its parameters are addresses.
func (r Real) Run(l *bundle.Launch) (*replay.After, error) { return r.RunAddresses(l) }

// Arch returns the architecture of the board; it is an error if it is none of this generation.
func (r Real) Arch() (tesla.Arch, error) {
	d := r.Device
	if d.Major != 1 || d.Minor < 0 || d.Minor > int(tesla.SM13) {
		return 0, fmt.Errorf("%s is sm_%d%d: probes are for sm_10 to sm_13", d.Name, d.Major, d.Minor)
	}
	return tesla.Arch(d.Minor), nil
}

// memoryAt is the address of a job's memory.
const memoryAt = 0x10000

// Names in the image of every probe, and the constant bank with numbers that a kernel brings along.
const (
	kernelName  = "probe"
	textureName = "texture"
	literalBank = 1
)

// job makes a launch of one block of k over memory, whose address is the parameter. The image is a
// text cubin, which the drivers of boards of this generation load. If k is textured, unit 0 has a
// reference.
func job(k cubin.Kernel, textured bool, arch tesla.Arch, threads int, memory []byte) *bundle.Launch {
	k.Name, k.Barriers = kernelName, 1
	img := &cubin.Image{Arch: arch, ABIVersion: 1, Name: "cubin", Kernels: []cubin.Kernel{k}}
	launched := &bundle.Kernel{Name: kernelName}
	for _, s := range k.Segments {
		launched.Banks = append(launched.Banks, bundle.Bank{Bank: s.Bank, Bytes: s.Bytes, Data: s.Init})
	}
	if textured {
		img.Samplers = []cubin.Sampler{{Name: textureName, Unit: 0}}
		launched.Textures = []string{textureName}
	}
	launched.Module = &bundle.Module{Image: cubin.Format(img), Arch: arch.String()}
	return &bundle.Launch{
		Kernel: launched, Arch: arch.String(), Device: driver.ModelFor(arch), Grid: [2]int{1, 1}, Block: [3]int{threads, 1, 1},
		Params:  binary.LittleEndian.AppendUint32(nil, memoryAt),
		Memory:  []*bundle.Object{{Kind: bundle.Allocation, Address: memoryAt, Bytes: memory}},
		Outcome: bundle.Outcome{Result: bundle.Success},
	}
}
