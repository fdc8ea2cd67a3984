package probe

import (
	"encoding/binary"
	"fmt"

	"jacquard/board/replay"
	"jacquard/libcuda/driver"
	"jacquard/observe/bundle"
	"jacquard/tesla"
)

// Board runs jobs: launches whose parameters are addresses of their memory and nothing else.
type Board interface {
	Run(l *bundle.Launch) (*replay.After, error)
}

// Real is a board behind another libcuda.
type Real struct{ *replay.OtherDriver }

// Run runs l; all of its parameters are addresses.
func (r Real) Run(l *bundle.Launch) (*replay.After, error) {
	var addresses []int
	for at := 0; at < len(l.Params); at += 4 {
		addresses = append(addresses, at)
	}
	return r.RunAt(l, addresses)
}

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

// job makes a launch of one block of k over memory, whose address is the parameter.
func job(k *kernel, arch tesla.Arch, threads int, memory []byte) *bundle.Launch {
	l := &bundle.Launch{
		Kernel: &bundle.Kernel{Module: &bundle.Module{Image: k.cubin(arch), Arch: arch.String()}, Name: kernelName},
		Arch:   arch.String(), Device: driver.ModelFor(arch), Grid: [2]int{1, 1}, Block: [3]int{threads, 1, 1},
		Params:  []byte{memoryAt & 0xff, memoryAt >> 8 & 0xff, memoryAt >> 16 & 0xff, memoryAt >> 24},
		Memory:  []*bundle.Object{{Kind: bundle.Allocation, Address: memoryAt, Bytes: memory}},
		Outcome: bundle.Outcome{Result: bundle.Success},
	}
	if len(k.literals) > 0 {
		bank := bundle.Bank{Bank: literalBank, Bytes: 4 * len(k.literals)}
		for _, w := range k.literals {
			bank.Data = binary.LittleEndian.AppendUint32(bank.Data, w)
		}
		l.Kernel.Banks = []bundle.Bank{bank}
	}
	if k.sampler {
		l.Kernel.Textures = []string{textureName}
	}
	return l
}
