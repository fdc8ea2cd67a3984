package trace

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"jacquard/decoder"
	"jacquard/simt"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Kernel is a kernel that a trace is of.
type Kernel struct {
	Name      string
	Arch      tesla.Arch // that its code was decoded for
	Registers int
	Code      []tesla.Instruction
	PCs       []uint32 // byte addresses of Code
	Values    [][]Slot // by instruction: the values recorded of it, in their order
	Decides   []bool   // by instruction: every active lane executes it, as a branch, taken or not

	layout layout
}

// Threads returns the lanes of the warp at position i of s that executed the instruction, as
// statistics count them: none of a vetoed warp.
func (k *Kernel) Threads(s *Step, i int) lane.Mask {
	if k.Decides[s.Index] && s.Vetoed>>s.Warp[i]&1 == 0 {
		return s.Active[i]
	}
	return s.Executed[i]
}

// kernelJSON is the payload of a kernel frame.
type kernelJSON struct {
	Name      string  `json:"name"`
	Arch      string  `json:"arch"`
	Registers int     `json:"registers"`
	Code      texts   `json:"code"`    // an instruction each: its words, in hexadecimal
	Values    texts   `json:"values"`  // an instruction each: its slots
	Decides   indices `json:"decides"` // of instructions that every active lane executes
}

// describe returns the kernel of p with the values that are recorded of it.
func describe(p *simt.Program, v Values) *Kernel {
	k := &Kernel{Name: p.Kernel.Name, Arch: p.Kernel.Arch, Registers: p.Kernel.Registers, Code: p.Kernel.Code}
	for i := range k.Code {
		e := p.Effects(i)
		k.Values = append(k.Values, slotsOf(e, v))
		k.Decides = append(k.Decides, e.Decides)
	}
	k.lay()
	return k
}

// payload returns what a kernel's frame holds.
func (k *Kernel) payload() ([]byte, error) {
	if len(k.Code) > mostCode || k.layout.rows > mostRows {
		return nil, fmt.Errorf("kernel %q has %d instructions with %d values: more than a trace holds", k.Name, len(k.Code), k.layout.rows)
	}
	j := kernelJSON{Name: k.Name, Arch: k.Arch.String(), Registers: k.Registers, Code: texts{}, Values: texts{}, Decides: indices{}}
	for i := range k.Code {
		j.Code = append(j.Code, wordsOf(&k.Code[i]))
		j.Values = append(j.Values, joinSlots(k.Values[i]))
		if k.Decides[i] {
			j.Decides = append(j.Decides, i)
		}
	}
	return json.Marshal(&j)
}

// wordsOf returns an instruction's words in hexadecimal, the first first.
func wordsOf(in *tesla.Instruction) string {
	text := fmt.Sprintf("%08x", in.Raw[0])
	if in.Size == 8 {
		text += fmt.Sprintf("%08x", in.Raw[1])
	}
	return text
}

// parseKernel reads the payload of a kernel's frame.
func parseKernel(data []byte) (*Kernel, error) {
	var j kernelJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, fmt.Errorf("a kernel's description: %w", err)
	}
	if err := j.check(); err != nil {
		return nil, err
	}
	arch, err := tesla.ParseArch(j.Arch)
	if err != nil {
		return nil, err
	}
	raw, err := hex.DecodeString(strings.Join(j.Code, ""))
	if err != nil || len(raw)%4 != 0 {
		return nil, fmt.Errorf("a kernel's code is not made of words")
	}
	var words []uint32
	for ; len(raw) > 0; raw = raw[4:] {
		words = append(words, binary.BigEndian.Uint32(raw))
	}
	k := &Kernel{Name: j.Name, Arch: arch, Registers: j.Registers, Code: decoder.Kernel(arch, words)}
	if len(k.Code) != len(j.Code) || len(k.Code) != len(j.Values) {
		return nil, fmt.Errorf("a kernel's code has %d instructions, not %d", len(k.Code), len(j.Code))
	}
	pc, rows := uint32(0), 0
	for i := range k.Code {
		k.PCs = append(k.PCs, pc)
		pc += uint32(k.Code[i].Size)
		slots, err := parseSlots(j.Values[i])
		if err != nil {
			return nil, err
		}
		k.Values = append(k.Values, slots)
		if rows += len(slots); rows > mostRows {
			return nil, fmt.Errorf("a kernel with more than %d values", mostRows)
		}
	}
	if k.Decides, err = k.flags(j.Decides); err != nil {
		return nil, err
	}
	k.lay()
	return k, nil
}

// flags returns which instructions the indices name.
func (k *Kernel) flags(indices []int) ([]bool, error) {
	list := make([]bool, len(k.Code))
	for _, i := range indices {
		if i < 0 || i >= len(k.Code) {
			return nil, fmt.Errorf("a kernel without instruction %d", i)
		}
		list[i] = true
	}
	return list, nil
}

// launchJSON is the payload of a launch frame.
type launchJSON struct {
	Kernel int    `json:"kernel"` // its number
	Grid   [2]int `json:"grid"`
	Block  [3]int `json:"block"`
	Policy string `json:"policy"`
	Params string `json:"params"` // hexadecimal
	Shared int    `json:"shared"` // dynamic shared memory
}

// endJSON is the payload of an end frame.
type endJSON struct {
	Error string `json:"error,omitempty"` // why the launch did not come to its end
}
