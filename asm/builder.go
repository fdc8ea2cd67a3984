package asm

import (
	"errors"
	"fmt"

	"jacquard/decoder"
	"jacquard/tesla"
)

// Builder collects the machine code of a kernel. The zero Builder is for sm_10.
type Builder struct {
	Arch tesla.Arch

	words  []uint32
	places []uint32 // by Label
	jumps  []jump
	err    error
}

// Label is a place in the code of a Builder.
type Label int

// nowhere is the address of a label without a place.
const nowhere = ^uint32(0)

// jump is an instruction with a label as target.
type jump struct {
	at int // index of its first word
	in tesla.Instruction
	to Label
}

// Add appends an instruction. It has in.Size bytes; if that is 0, eight, or four if the operation
// has no longer form. An instruction that the architecture lacks is left out and is an error of
// Code.
func (b *Builder) Add(in tesla.Instruction) {
	w0, w1, err := encode(b.Arch, in)
	if err != nil {
		b.err = errors.Join(b.err, fmt.Errorf("at 0x%x: %w", b.Here(), err))
		return
	}
	b.Raw(w0)
	if long(w0) {
		b.Raw(w1)
	}
}

// encode prefers eight bytes if the instruction does not give its size.
func encode(a tesla.Arch, in tesla.Instruction) (w0, w1 uint32, err error) {
	if in.Size != 0 {
		return decoder.Encode(a, in)
	}
	in.Size = 8
	if w0, w1, err = decoder.Encode(a, in); err != nil {
		in.Size = 4
		if s0, s1, short := decoder.Encode(a, in); short == nil {
			return s0, s1, nil
		}
	}
	return w0, w1, err
}

func long(w0 uint32) bool { return w0&1 != 0 }

// Raw appends words unchanged.
func (b *Builder) Raw(words ...uint32) { b.words = append(b.words, words...) }

// Here returns the byte address of the next instruction.
func (b *Builder) Here() uint32 { return uint32(4 * len(b.words)) }

// Label returns a label, to be placed before or after the jumps to it.
func (b *Builder) Label() Label {
	b.places = append(b.places, nowhere)
	return Label(len(b.places) - 1)
}

// Place puts labels at the next instruction.
func (b *Builder) Place(labels ...Label) { b.PlaceAt(b.Here(), labels...) }

// PlaceAt puts labels at a byte address of the code.
func (b *Builder) PlaceAt(address uint32, labels ...Label) {
	for _, l := range labels {
		b.places[l] = address
	}
}

// PlaceHere returns a label of the next instruction.
func (b *Builder) PlaceHere() Label {
	l := b.Label()
	b.Place(l)
	return l
}

// Jump appends an instruction with a label as Target.
func (b *Builder) Jump(in tesla.Instruction, to Label) {
	in.Target = 0
	b.jumps = append(b.jumps, jump{len(b.words), in, to})
	b.Add(in)
}

// Exit appends the instruction that ends a kernel.
func (b *Builder) Exit() { b.Add(tesla.Instruction{Op: tesla.OpNop, Marker: tesla.MarkerExit}) }

// Code returns the words, or all errors so far: an instruction that the architecture lacks, or a
// label that was never placed.
func (b *Builder) Code() ([]uint32, error) {
	err := b.err
	for _, j := range b.jumps {
		j.in.Target = b.places[j.to]
		if j.in.Target == nowhere {
			err = errors.Join(err, fmt.Errorf("at 0x%x: %s to a label that is nowhere", 4*j.at, j.in.Op))
			continue
		}
		w0, w1, failed := encode(b.Arch, j.in)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("at 0x%x: %w", 4*j.at, failed))
			continue
		}
		b.words[j.at], b.words[j.at+1] = w0, w1
	}
	if err != nil {
		return nil, err
	}
	return b.words, nil
}
