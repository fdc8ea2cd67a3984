package cubin

import (
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
)

// FormatELF writes img as an ELF cubin in the layout of CUDA 3.1 .. 4.2, of the 64-bit class if
// img.Pointer is 8 and of the 32-bit class otherwise. For an image from an ELF cubin,
// Parse(FormatELF(img)) equals img. ELF has no place for Name and ABIVersion of text cubins, and
// the texture units of the module become units of each kernel. Parameters that are Padded are
// written as the first compilers did: offsets alone.
//
// The error is an [*ELFError] if a number does not fit its field or a name ends in its middle.
// FormatELF checks no limit of the device: [Parse] does.
func FormatELF(img *Image) ([]byte, error) {
	if err := checkELF(img); err != nil {
		return nil, err
	}
	w := &elfWriter{img: img, wide: img.Pointer == 8}
	w.tables()
	w.declare()
	for i := range img.Kernels {
		w.kernel(i)
	}
	w.banks()
	w.globals()
	w.textures()
	writeDebug(w, w.lines())
	return w.file()
}

// Section flags.
const (
	elfWritten   = 1
	elfAllocated = 2
	elfExecuted  = 4

	barrierShift  = 20
	registerShift = 24
)

// Symbols: the types with global binding.
const (
	elfGlobal = 0x10

	symbolFunction = 2
	entryPoint     = 0x10 // in st_other
)

// declare makes the symbols that other sections refer to: kernels, texture references, variables.
func (w *elfWriter) declare() {
	for i := range w.img.Kernels {
		k := &w.img.Kernels[i]
		w.symbol(outSymbol{name: k.Name, kind: elfGlobal | symbolFunction, other: entryPoint, size: 4 * len(k.Code)})
	}
	for _, s := range w.img.Samplers {
		w.symbol(outSymbol{name: s.Name, kind: elfGlobal | symbolTexture})
	}
	for _, g := range w.img.Globals {
		w.symbol(outSymbol{name: g.Name, kind: elfGlobal | symbolObject, size: g.Bytes})
	}
}

// The numbers of declared symbols among the global ones.
func (w *elfWriter) ofKernel(i int) int  { return i }
func (w *elfWriter) ofSampler(i int) int { return len(w.img.Kernels) + i }
func (w *elfWriter) ofGlobal(i int) int  { return len(w.img.Kernels) + len(w.img.Samplers) + i }

// kernel writes the sections of a kernel.
func (w *elfWriter) kernel(i int) {
	k := &w.img.Kernels[i]
	text := len(w.sections)
	var code []byte
	for _, word := range k.Code {
		code = binary.LittleEndian.AppendUint32(code, word)
	}
	w.symbols[w.ofKernel(i)].section = text
	w.add(outSection{name: sectionText + k.Name, kind: elfProgbits, data: code, align: 4, link: symbolTable,
		flags: elfAllocated | elfExecuted | uint64(k.Barriers)<<barrierShift,
		info:  uint32(k.Registers)<<registerShift | uint32(text)})
	for _, bank := range segmentBanks(k.Segments) {
		w.add(outSection{name: sectionConstant + strconv.Itoa(bank) + "." + k.Name, kind: elfProgbits, flags: elfAllocated,
			data: content(k.Segments, bank), align: 4, info: uint32(text)})
	}
	used := w.images(k)
	if k.Params != nil || k.MaxThreads != [3]int{} {
		w.add(outSection{name: sectionInfo + k.Name, kind: elfProgbits, flags: elfAllocated, align: 1, info: uint32(text),
			fill: func() []byte { return w.attributes(k, used) }})
	}
	if len(used) > 0 && !k.sized() {
		w.add(outSection{name: sectionImages + k.Name, kind: elfProgbits, flags: elfAllocated, align: 1, info: uint32(text),
			fill: func() []byte { return w.imageRecords(used) }})
	}
	inFile := len(w.sections)
	w.add(outSection{name: sectionShared + k.Name, kind: elfNobits, flags: elfAllocated | elfWritten, size: k.Shared, align: 4, info: uint32(text)})
	if k.Local > 0 {
		w.add(outSection{name: sectionLocal + k.Name, kind: elfNobits, flags: elfAllocated | elfWritten, size: k.Local, align: 4, info: uint32(text)})
	}
	w.segment(outSegment{kind: segmentKernel, flags: segmentCode, symbol: w.ofKernel(i), from: text, to: inFile})
	w.segment(outSegment{kind: segmentKernel, flags: segmentData, symbol: w.ofKernel(i), from: inFile, to: len(w.sections)})
}

// segmentBanks returns the banks of segments in the order of their first use.
func segmentBanks(segments []Segment) (banks []int) {
	for _, s := range segments {
		if !slices.Contains(banks, s.Bank) {
			banks = append(banks, s.Bank)
		}
	}
	return banks
}

// content returns the bytes of the segments of a bank.
func content(segments []Segment, bank int) []byte {
	data := []byte{}
	for _, s := range segments {
		if s.Bank == bank {
			data = lay(data, s.Offset, s.Bytes, s.Init)
		}
	}
	return data
}

// lay puts size bytes that begin with init at an offset of data, which grows as needed.
func lay(data []byte, offset, size int, init []byte) []byte {
	if missing := offset + size - len(data); missing > 0 {
		data = append(data, make([]byte, missing)...)
	}
	copy(data[offset:], init)
	return data
}

// banks writes the constant banks that all kernels share.
func (w *elfWriter) banks() {
	from := len(w.sections)
	banks := segmentBanks(w.img.Segments)
	if len(w.img.Constants) > 0 && !slices.Contains(banks, constantBank) {
		banks = append(banks, constantBank)
	}
	addressed := slices.ContainsFunc(w.img.Globals, func(g Global) bool { return len(g.Slots) > 0 })
	if addressed && !slices.Contains(banks, AddressBank) {
		banks = append(banks, AddressBank)
	}
	for _, bank := range banks {
		number := len(w.sections)
		data := content(w.img.Segments, bank)
		switch bank {
		case constantBank:
			data = w.constants(data, number)
		case AddressBank:
			data = slots(w.img, data)
		}
		w.add(outSection{name: sectionConstant + strconv.Itoa(bank), kind: elfProgbits, flags: elfAllocated, data: data, align: 4})
		switch {
		case bank == AddressBank && addressed:
			w.relocations(sectionRelocations+sectionAddresses, number, w.slotRecords)
		case bank == constantBank:
			w.pointers(sectionConstant0, number, true)
		}
	}
	if len(banks) > 0 {
		w.segment(outSegment{kind: segmentLoad, flags: segmentCode, from: from, to: len(w.sections)})
	}
}

// constants puts the __constant__ variables into bank 0, which is a section.
func (w *elfWriter) constants(data []byte, section int) []byte {
	for _, v := range w.img.Constants {
		data = lay(data, v.Offset, v.Bytes, v.Init)
		w.symbol(outSymbol{name: v.Name, kind: elfGlobal | symbolObject, section: section, value: v.Offset, size: v.Bytes})
	}
	return data
}

// slots puts the addends of addresses into bank 14.
func slots(img *Image, data []byte) []byte {
	for _, g := range img.Globals {
		for _, s := range g.Slots {
			data = lay(data, s.Offset, slotBytes, binary.LittleEndian.AppendUint32(nil, s.Addend))
		}
	}
	return data
}

// slotRecords returns the relocations of bank 14.
func (w *elfWriter) slotRecords() (b []byte) {
	for i, g := range w.img.Globals {
		for _, s := range g.Slots {
			b = w.relocation(b, s.Offset, w.number(w.ofGlobal(i)), relocationAddress)
		}
	}
	return b
}

// pointers writes the relocations of addresses in bank 0, or in __device__ variables.
func (w *elfWriter) pointers(name string, section int, bank bool) {
	list := slices.DeleteFunc(slices.Clone(w.img.Pointers), func(p Pointer) bool { return (p.In < 0) != bank })
	if len(list) == 0 {
		return
	}
	w.relocations(sectionRelocations+name, section, func() (b []byte) {
		for _, p := range list {
			if p.In >= 0 {
				p.Offset += w.symbols[w.ofGlobal(p.In)].value
			}
			b = w.relocation(b, p.Offset, w.number(w.ofGlobal(p.Of)), relocationAddress)
		}
		return b
	})
}

// globals writes the __device__ variables: first the variables with content, then the others.
func (w *elfWriter) globals() {
	from := len(w.sections)
	for _, s := range []outSection{
		{name: sectionGlobalInit, kind: elfProgbits, data: []byte{}}, {name: sectionGlobal, kind: elfNobits},
	} {
		s.flags, s.align = elfAllocated|elfWritten, 4
		any := false
		for i, g := range w.img.Globals {
			if (g.Init != nil) != (s.kind == elfProgbits) {
				continue
			}
			any = true
			align := alignment(g.Bytes)
			s.align = max(s.align, align)
			s.size = (s.size + align - 1) / align * align
			y := &w.symbols[w.ofGlobal(i)]
			y.section, y.value = len(w.sections), s.size
			s.size += g.Bytes
			if s.kind == elfProgbits {
				s.data = lay(s.data, y.value, g.Bytes, g.Init)
			}
		}
		if any {
			w.add(s)
		}
		if any && s.kind == elfProgbits {
			w.pointers(sectionGlobalInit, len(w.sections)-1, false)
		}
	}
	if len(w.sections) > from {
		w.segment(outSegment{kind: segmentLoad, flags: segmentData, from: from, to: len(w.sections)})
	}
}

const maxAlignment = 256

// alignment returns the alignment of a variable: enough for any type of its size, and for a bank
// of device memory.
func alignment(size int) int {
	align := 4
	for align < size && align < maxAlignment {
		align *= 2
	}
	return align
}

// checkELF refuses what has no place in an ELF cubin.
func checkELF(img *Image) error {
	if img.Virtual < 0 || img.Virtual > maxVirtual {
		return elfErrorf("", "code of PTX for sm_%d", img.Virtual)
	}
	var names []string
	sized := func(what string, offset, size, init int) error {
		if offset < 0 || size < 0 || offset+size > maxGlobal || init > size {
			return elfErrorf("", "%s: %d bytes of %d at %d", what, init, size, offset)
		}
		return nil
	}
	for _, s := range img.Samplers {
		names = append(names, s.Name)
	}
	for _, v := range img.Constants {
		names = append(names, v.Name)
		if err := sized(v.Name, v.Offset, v.Bytes, len(v.Init)); err != nil {
			return err
		}
	}
	total := 0
	for _, g := range img.Globals {
		names = append(names, g.Name)
		if err := sized(g.Name, 0, g.Bytes, len(g.Init)); err != nil {
			return err
		}
		if total += (g.Bytes + maxAlignment - 1) / maxAlignment * maxAlignment; uint64(total) > 1<<32-1 {
			return elfErrorf("", "%d bytes of variables", total)
		}
	}
	for _, p := range img.Pointers {
		if p.In < -1 || p.In >= len(img.Globals) || p.Of < 0 || p.Of >= len(img.Globals) || p.Offset < 0 ||
			p.In >= 0 && p.Offset+slotBytes > len(img.Globals[p.In].Init) || p.Offset > maxGlobal {
			return elfErrorf("", "address of variable %d in variable %d at %d", p.Of, p.In, p.Offset)
		}
	}
	for i := range img.Kernels {
		k := &img.Kernels[i]
		names = append(names, k.Name)
		if err := k.checkELF(len(img.Samplers)); err != nil {
			return err
		}
	}
	for _, s := range img.Segments {
		if err := sized("bank "+strconv.Itoa(s.Bank), s.Offset, s.Bytes, len(s.Init)); err != nil {
			return err
		}
	}
	for _, name := range names {
		if strings.ContainsRune(name, 0) {
			return elfErrorf("", "the name %q ends in its middle", name)
		}
	}
	return nil
}

func (k *Kernel) checkELF(samplers int) error {
	problem := func(format string, args ...any) error { return elfErrorf(sectionText+k.Name, format, args...) }
	switch {
	case k.Registers < 0 || k.Registers > 0xff:
		return problem("%d registers", k.Registers)
	case k.Barriers < 0 || k.Barriers > 0x7f:
		return problem("%d barriers", k.Barriers)
	case k.Shared < 0 || k.Local < 0:
		return problem("%d bytes of shared and %d of local memory", k.Shared, k.Local)
	}
	for _, s := range k.Segments {
		if s.Offset < 0 || s.Bytes < 0 || s.Offset+s.Bytes > maxGlobal || len(s.Init) > s.Bytes {
			return problem("bank %d: %d bytes of %d at %d", s.Bank, len(s.Init), s.Bytes, s.Offset)
		}
	}
	for _, p := range k.Params {
		if p.Offset < 0 || p.Offset > 0xffff || p.Size < 0 || p.Size > maxParamSize {
			return problem("a parameter of %d bytes at %d", p.Size, p.Offset)
		}
	}
	for _, t := range k.Textures {
		if t.Sampler < 0 || t.Sampler >= samplers || t.Unit < 0 {
			return problem("texture %d in unit %d", t.Sampler, t.Unit)
		}
	}
	last := -1
	for _, l := range k.Lines {
		if l.File == "" || strings.ContainsRune(l.File, 0) || l.Line < 0 || l.Line > maxLine || l.Offset%4 != 0 ||
			int(l.Offset) <= last || int(l.Offset) >= 4*len(k.Code) {
			return problem("line %d of file %q at 0x%x", l.Line, l.File, l.Offset)
		}
		last = int(l.Offset)
	}
	return nil
}
