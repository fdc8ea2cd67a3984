package codec

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"

	"jacquard/decoder"
	"jacquard/simt/lane"
	"jacquard/simt/source"
	"jacquard/tesla"
)

// Kernel is a kernel that was recorded. Encoders and decoders take it after Prepare.
type Kernel struct {
	Name      string
	Arch      tesla.Arch // of the decoded code
	Registers int
	Code      []tesla.Instruction
	PCs       []uint32 // byte addresses of Code
	Values    [][]Slot // by instruction: its recorded values, in order
	// Decides tells, by instruction, that every active lane executes it, as a branch taken or not.
	Decides []bool
	Source  source.Table // lines that Code is made of; nil if they are not known

	layout layout
}

// Threads returns the lanes of the warp at position i of s that executed the instruction, as
// statistics count them: a vetoed warp has none.
func (k *Kernel) Threads(s *Step, i int) lane.Mask {
	if k.Decides[s.Index] && s.Vetoed>>s.Warp[i]&1 == 0 {
		return s.Active[i]
	}
	return s.Executed[i]
}

// Size returns the approximate bytes of the kernel in memory.
func (k *Kernel) Size() int {
	return 512 + len(k.Name) + k.Source.Size() + 24*len(k.Source) + instructionSize*len(k.Code) + rowSize*k.layout.rows
}

// layout says where predictors keep their state for a kernel.
type layout struct {
	decides []bool  // Kernel.Decides
	places  int     // of shapes: a power of two
	slots   []int32 // by instruction: the index of its first value among all
	rows    int     // values of all instructions
}

// mostPlaces bounds the memory that Start clears for a part of few issues. Stretches whose ends are
// mostPlaces/2 instructions apart share a place.
const mostPlaces = 1 << 9

// Prepare readies the kernel for encoders and decoders, once its fields are set.
func (k *Kernel) Prepare() {
	k.layout = layout{decides: k.Decides, places: min(mostPlaces, 1<<bits.Len(uint(2*len(k.Code))))}
	for _, v := range k.Values {
		k.layout.slots = append(k.layout.slots, int32(k.layout.rows))
		k.layout.rows += len(v)
	}
}

// kernelJSON is the payload of a kernel frame.
type kernelJSON struct {
	Name      string  `json:"name"`
	Arch      string  `json:"arch"`
	Registers int     `json:"registers"`
	Code      texts   `json:"code"`    // per instruction: its words, in hexadecimal
	Values    texts   `json:"values"`  // per instruction: its slots
	Decides   indices `json:"decides"` // of instructions that every active lane executes

	Source source.Table `json:"source,omitempty"`
}

// Payload returns the payload of the kernel's frame.
func (k *Kernel) Payload() ([]byte, error) {
	if len(k.Code) > mostCode || k.layout.rows > mostRows {
		return nil, fmt.Errorf("kernel %q has %d instructions with %d values: more than a trace holds", k.Name, len(k.Code), k.layout.rows)
	}
	j := kernelJSON{
		Name: k.Name, Arch: k.Arch.String(), Registers: k.Registers,
		Code: texts{}, Values: texts{}, Decides: indices{}, Source: k.Source,
	}
	for i, in := range k.Code {
		words := fmt.Sprintf("%08x", in.Raw[0])
		if in.Size == 8 {
			words += fmt.Sprintf("%08x", in.Raw[1])
		}
		j.Code = append(j.Code, words)
		j.Values = append(j.Values, joinSlots(k.Values[i]))
		if k.Decides[i] {
			j.Decides = append(j.Decides, i)
		}
	}
	return json.Marshal(&j)
}

// ParseKernel reads the payload of a kernel's frame. It refuses kernels that no recorder writes.
func ParseKernel(data []byte) (*Kernel, error) {
	var j kernelJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, fmt.Errorf("a kernel's description: %w", err)
	}
	switch {
	case len(j.Name) > MostString:
		return nil, fmt.Errorf("a kernel with a name of %d bytes", len(j.Name))
	case j.Registers < 0 || j.Registers > mostRegister:
		return nil, fmt.Errorf("a kernel with %d registers", j.Registers)
	case len(j.Code) > mostCode:
		return nil, fmt.Errorf("a kernel of %d instructions: want at most %d", len(j.Code), mostCode)
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
	if k.Source = j.Source; k.Source != nil && len(k.Source) != len(k.Code) {
		return nil, fmt.Errorf("a kernel with lines of %d instructions, not %d", len(k.Source), len(k.Code))
	}
	k.Decides = make([]bool, len(k.Code))
	for _, i := range j.Decides {
		if i < 0 || i >= len(k.Code) {
			return nil, fmt.Errorf("a kernel without instruction %d", i)
		}
		k.Decides[i] = true
	}
	k.Prepare()
	return k, nil
}

// texts and indices are lists with at most one element per instruction. Elements are counted first,
// so that their memory is allocated once.
type (
	texts   []string
	indices []int
)

// UnmarshalJSON refuses more texts than a kernel has instructions.
func (t *texts) UnmarshalJSON(data []byte) error { return elements(data, (*[]string)(t)) }

// UnmarshalJSON refuses more indices than a kernel has instructions.
func (x *indices) UnmarshalJSON(data []byte) error { return elements(data, (*[]int)(x)) }

func elements[T any](data []byte, list *[]T) error {
	n := bytes.Count(data, []byte{','}) + 1
	if n > mostCode {
		return fmt.Errorf("a kernel of more than %d instructions", mostCode)
	}
	*list = make([]T, 0, n)
	return json.Unmarshal(data, list)
}
