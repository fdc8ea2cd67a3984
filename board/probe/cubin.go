package probe

import (
	"encoding/binary"

	"jacquard/cubin"
	"jacquard/tesla"
)

// kernelName is the name of every probe's kernel.
const kernelName = "probe"

// kernel is the content of a cubin.
type kernel struct {
	words     []uint32
	registers int
	shared    int // bytes, header and parameters included
	local     int
	sampler   bool     // texture unit 0 has a reference called textureName
	literals  []uint32 // of the constant bank literalBank
}

// literalBank is the constant bank with numbers that a kernel brings along.
const literalBank = 1

// textureName is the name of a probe's texture reference.
const textureName = "texture"

// cubin returns the kernel as a text cubin, which the drivers of boards of this generation load.
func (k *kernel) cubin(arch tesla.Arch) []byte {
	code := cubin.Kernel{Name: kernelName, Registers: k.registers, Shared: k.shared, Local: k.local, Barriers: 1, Code: k.words}
	if len(k.literals) > 0 {
		var init []byte
		for _, w := range k.literals {
			init = binary.LittleEndian.AppendUint32(init, w)
		}
		code.Segments = []cubin.Segment{{Bank: literalBank, Bytes: len(init), Init: init}}
	}
	img := &cubin.Image{Arch: arch, ABIVersion: 1, Name: "cubin", Kernels: []cubin.Kernel{code}}
	if k.sampler {
		img.Samplers = []cubin.Sampler{{Name: textureName, Unit: 0}}
	}
	return cubin.Format(img)
}
