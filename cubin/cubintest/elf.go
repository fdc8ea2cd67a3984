package cubintest

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"jacquard/cubin"
)

// ELF says how to write an ELF cubin. The zero value is the 32-bit form of CUDA 3.1 and later.
type ELF struct {
	Wide bool // class 2, as for 64-bit hosts
	// Old selects the layout of the first compilers: no sizes of parameters, texture units in a
	// section of their own.
	Old bool
}

// Write returns img as an ELF cubin. Of the module's segments it writes the one of bank 0.
func (o ELF) Write(img *cubin.Image) []byte {
	w := &elfWriter{ELF: o, symbols: make([]elfSymbol, 1), globals: make([]int, len(img.Globals))}
	w.add(elfSection{}) // number 0 is none
	w.modules(img)
	for i := range img.Kernels {
		w.kernel(img, &img.Kernels[i])
	}
	return w.file(uint32(10 + int(img.Arch)))
}

// Section types and flags.
const (
	progbits, symtab, strtab, nobits, rel = 1, 2, 3, 8, 9

	alloc, exec, write = 2, 4, 1
)

type elfSection struct {
	name       string
	kind       uint32
	flags      uint64
	data       []byte
	size       int // bytes, of a section without data
	link, info uint32
	entry      int
}

type elfSymbol struct {
	name        string
	info, other byte
	section     int
	value, size int
}

// elfWriter collects sections and symbols.
type elfWriter struct {
	ELF
	sections []elfSection
	symbols  []elfSymbol
	samplers []int // symbols of the texture references
	globals  []int // symbols of the __device__ variables
}

func (w *elfWriter) add(s elfSection) int {
	w.sections = append(w.sections, s)
	return len(w.sections) - 1
}

func (w *elfWriter) symbol(s elfSymbol) int {
	w.symbols = append(w.symbols, s)
	return len(w.symbols) - 1
}

const (
	globalObject   = 0x11
	globalFunction = 0x12
	globalTexture  = 0x1a
	entryPoint     = 0x10
)

// modules writes the sections that belong to no kernel.
func (w *elfWriter) modules(img *cubin.Image) {
	for _, s := range img.Samplers {
		w.samplers = append(w.samplers, w.symbol(elfSymbol{name: s.Name, info: globalTexture}))
	}
	var bank0 []byte
	put := func(bank []byte, offset, size int, init []byte) []byte {
		if missing := offset + size - len(bank); missing > 0 {
			bank = append(bank, make([]byte, missing)...)
		}
		copy(bank[offset:], init)
		return bank
	}
	for _, s := range img.Segments {
		if s.Bank == 0 {
			bank0 = put(bank0, s.Offset, s.Bytes, s.Init)
		}
	}
	for _, v := range img.Constants {
		bank0 = put(bank0, v.Offset, v.Bytes, v.Init)
	}
	if len(bank0) > 0 {
		section := w.add(elfSection{name: ".nv.constant0", kind: progbits, flags: alloc, data: bank0})
		for _, v := range img.Constants {
			w.symbol(elfSymbol{v.Name, globalObject, 0, section, v.Offset, v.Bytes})
		}
	}
	w.placeGlobals(img, ".nv.global", nobits, func(g *cubin.Global) bool { return g.Init == nil })
	w.placeGlobals(img, ".nv.global.init", progbits, func(g *cubin.Global) bool { return g.Init != nil })
	w.addresses(img)
}

// placeGlobals writes the __device__ variables of one section.
func (w *elfWriter) placeGlobals(img *cubin.Image, name string, kind uint32, belongs func(*cubin.Global) bool) {
	section := elfSection{name: name, kind: kind, flags: alloc | write}
	number := len(w.sections)
	for i := range img.Globals {
		g := &img.Globals[i]
		if !belongs(g) {
			continue
		}
		w.globals[i] = w.symbol(elfSymbol{g.Name, globalObject, 0, number, section.size, g.Bytes})
		section.size += g.Bytes
		if kind == progbits {
			section.data = append(section.data, append(bytes.Clone(g.Init), make([]byte, g.Bytes-len(g.Init))...)...)
		}
	}
	if section.size > 0 {
		w.add(section)
	}
}

// addresses writes bank 14 and its relocations.
func (w *elfWriter) addresses(img *cubin.Image) {
	var bank, records []byte
	for i, g := range img.Globals {
		for _, s := range g.Slots {
			if missing := s.Offset + 4 - len(bank); missing > 0 {
				bank = append(bank, make([]byte, missing)...)
			}
			binary.LittleEndian.PutUint32(bank[s.Offset:], s.Addend)
			records = w.words(records, uint64(s.Offset))
			if w.Wide {
				records = w.words(records, uint64(w.globals[i])<<32|1)
			} else {
				records = w.words(records, uint64(w.globals[i])<<8|1)
			}
		}
	}
	if bank == nil {
		return
	}
	section := w.add(elfSection{name: ".nv.constant14", kind: progbits, flags: alloc, data: bank})
	w.add(elfSection{name: ".rel.nv.constant14", kind: rel, data: records, info: uint32(section), entry: len(w.words(nil, 0, 0))})
}

// words appends fields, each as wide as the ELF class has them.
func (w *elfWriter) words(b []byte, fields ...uint64) []byte {
	for _, f := range fields {
		if w.Wide {
			b = binary.LittleEndian.AppendUint64(b, f)
		} else {
			b = binary.LittleEndian.AppendUint32(b, uint32(f))
		}
	}
	return b
}

// kernel writes the sections of a kernel.
func (w *elfWriter) kernel(img *cubin.Image, k *cubin.Kernel) {
	var code []byte
	for _, word := range k.Code {
		code = binary.LittleEndian.AppendUint32(code, word)
	}
	number := len(w.sections)
	symbol := w.symbol(elfSymbol{k.Name, globalFunction, entryPoint, number, 0, len(code)})
	w.add(elfSection{name: ".text." + k.Name, kind: progbits, flags: alloc | exec | uint64(k.Barriers)<<20, data: code,
		info: uint32(k.Registers)<<24 | uint32(symbol)})
	w.add(elfSection{name: ".nv.shared." + k.Name, kind: nobits, flags: alloc | write, size: k.Shared, info: uint32(number)})
	if k.Local > 0 {
		w.add(elfSection{name: ".nv.local." + k.Name, kind: nobits, flags: alloc | write, size: k.Local, info: uint32(number)})
	}
	for _, s := range k.Segments {
		data := make([]byte, s.Offset+s.Bytes)
		copy(data[s.Offset:], s.Init)
		w.add(elfSection{name: ".nv.constant" + strconv.Itoa(s.Bank) + "." + k.Name, kind: progbits, flags: alloc, data: data, info: uint32(number)})
	}
	w.add(elfSection{name: ".nv.info." + k.Name, kind: progbits, data: w.attributes(k), info: uint32(number)})
	if w.Old && len(k.Textures) > 0 {
		w.add(elfSection{name: ".nv.images." + k.Name, kind: progbits, data: w.images(k), info: uint32(number)})
	}
}

// attributes returns the attribute records of a kernel.
func (w *elfWriter) attributes(k *cubin.Kernel) []byte {
	var b []byte
	le := binary.LittleEndian
	record := func(code byte, payload []byte) {
		b = append(le.AppendUint16(append(b, 4, code), uint16(len(payload))), payload...)
	}
	words := func(values ...int) (p []byte) {
		for _, v := range values {
			p = le.AppendUint32(p, uint32(v))
		}
		return p
	}
	if len(k.Textures) > 0 && !w.Old {
		record(0x02, w.images(k))
	}
	if k.MaxThreads != [3]int{} {
		record(0x05, words(k.MaxThreads[:]...))
	}
	record(0x0d, words(8<<0|1<<16, 0)) // advice on the stack of branches: one entry
	if len(k.Params) == 0 {
		return b
	}
	var places []int
	end := 0
	for _, p := range k.Params {
		places = append(places, p.Offset)
		end = max(end, p.Offset+p.Size)
	}
	record(0x0b, words(places...))
	if w.Old {
		return b
	}
	b = le.AppendUint16(append(b, 3, 0x18), uint16(end))
	for i := len(k.Params) - 1; i >= 0; i-- { // compilers write the last parameter first
		p := k.Params[i]
		record(0x17, words(-1, i|p.Offset<<16, p.Size<<18|0x3f000))
	}
	return b
}

// images returns pairs of symbol and texture unit.
func (w *elfWriter) images(k *cubin.Kernel) []byte {
	var b []byte
	for _, t := range k.Textures {
		b = binary.LittleEndian.AppendUint32(b, uint32(w.samplers[t.Sampler]))
		b = binary.LittleEndian.AppendUint32(b, uint32(t.Unit))
	}
	return b
}
