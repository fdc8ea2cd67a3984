package probe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"jacquard/board/replay"
	"jacquard/board/verify"
	"jacquard/cubin"
	"jacquard/observe/bundle"
	"jacquard/tesla"
)

// Probe settles an unverified point.
type Probe struct {
	Name     string
	Question string
	Here     string     // the simulator's answer
	Arch     tesla.Arch // the first that can run it
	Only     bool       // no later one can
	Warning  string     // a danger for the board, "" if there is none

	// Either rows, or a kernel.
	Rows []string // OP A [B [C]], separated by commas

	Columns []string // meanings of the words that a thread leaves, four per call of out; "" is hidden
	threads int
	input   func(thread int) [4]uint32 // r4 to r7; nil is zeros
	body    func(k *code)
	texture *bundle.Texture
	texels  []byte
}

// Answer is the outcome of a probe on a board.
type Answer struct {
	Outcome bundle.Outcome
	Vectors *Vectors   // of a probe with rows
	Threads [][]uint32 // of a probe with a kernel that ended well: the words that each thread left
}

// All returns all probes.
func All() []*Probe {
	var all []*Probe
	for _, subject := range []func() []*Probe{controlProbes, registerProbes, sharedProbes, textureProbes, arithmeticProbes} {
		all = append(all, subject()...)
	}
	return all
}

// Find returns the probe called name, or nil.
func Find(name string) *Probe {
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	return nil
}

// For names the architectures that can run the probe.
func (p *Probe) For() string {
	switch {
	case p.Only:
		return p.Arch.String() + " alone"
	case p.Arch == tesla.SM13:
		return p.Arch.String()
	}
	return p.Arch.String() + " and later"
}

// Run asks a board of architecture arch.
func (p *Probe) Run(board Board, arch tesla.Arch) (*Answer, error) {
	if arch < p.Arch || p.Only && arch > p.Arch {
		return nil, fmt.Errorf("probe %s is for %s, not for %s", p.Name, p.For(), arch)
	}
	if p.Rows != nil {
		rows, err := p.rows()
		if err != nil {
			return nil, err
		}
		v, err := Ask(board, arch, rows, nil)
		return &Answer{Outcome: bundle.Outcome{Result: bundle.Success}, Vectors: v}, err
	}
	l, err := p.Job(arch)
	if err != nil {
		return nil, err
	}
	after, err := board.Run(l)
	if err != nil {
		return nil, err
	}
	return p.answer(after), nil
}

func (p *Probe) rows() (rows []verify.Row, err error) {
	for _, text := range p.Rows {
		f := append(strings.Split(text, ","), "", "", "")
		row, err := verify.ParseRow(f[0], f[1], f[2], f[3], "")
		if err != nil {
			return nil, err
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// A thread has a record of memory: four words of input, then the words that it leaves.
const (
	recordShift = 7
	recordBytes = 1 << recordShift
	inputBytes  = 16
)

// Job returns the launch of a probe with a kernel.
func (p *Probe) Job(arch tesla.Arch) (*bundle.Launch, error) {
	k := assembled(arch, p.body)
	words, err := k.Code()
	if err = errors.Join(err, k.err); err != nil {
		return nil, fmt.Errorf("probe %s: %w", p.Name, err)
	}
	memory := make([]byte, p.threads*recordBytes)
	for t := range p.threads {
		if p.input == nil {
			break
		}
		for i, w := range p.input(t) {
			binary.LittleEndian.PutUint32(memory[t*recordBytes+4*i:], w)
		}
	}
	made := cubin.Kernel{Code: words, Registers: registers, Shared: sharedBytes}
	if len(k.literals) > 0 {
		init, _ := binary.Append(nil, binary.LittleEndian, k.literals) // numbers of a fixed size do not fail
		made.Segments = []cubin.Segment{{Bank: literalBank, Bytes: len(init), Init: init}}
	}
	l := job(made, k.textured, arch, p.threads, memory)
	if p.texture != nil {
		l.Textures = []bundle.Texture{*p.texture}
		l.Memory = append(l.Memory, &bundle.Object{Kind: bundle.Array, Address: p.texture.Array, Bytes: p.texels})
	}
	return l, nil
}

// answer reads the words that the threads left.
func (p *Probe) answer(after *replay.After) *Answer {
	a := &Answer{Outcome: after.Outcome}
	if after.Result != bundle.Success {
		return a
	}
	for t := range p.threads {
		words := make([]uint32, len(p.Columns))
		for i := range words {
			words[i] = binary.LittleEndian.Uint32(after.Memory[0][t*recordBytes+inputBytes+4*i:])
		}
		a.Threads = append(a.Threads, words)
	}
	return a
}
