package cubin

import (
	"bytes"
	"encoding/binary"
	"fmt"
)

// Format writes img as a text cubin in the layout of CUDA 2.x. For an image from a text cubin,
// Parse(Format(img)) equals img. The format has no place for parameters, thread bounds, a kernel's own
// texture units, shared segments, line tables, pointers, and all slots of a global but the first:
// Format omits them, and [FormatELF] keeps them. Names must not contain white space, braces or equals
// signs.
func Format(img *Image) []byte {
	w := &writer{}
	w.line("architecture {%s}", img.Arch)
	w.line("abiversion {%d}", img.ABIVersion)
	if img.Name != "" {
		w.line("modname {%s}", img.Name)
	}
	for _, s := range img.Samplers {
		if s.Unit < 0 {
			continue
		}
		w.open("sampler")
		w.line("name = %s", s.Name)
		w.line("texunit = %d", s.Unit)
		w.close()
	}
	for _, v := range img.Constants {
		w.data("consts", "const", dataBlock{v.Name, constantBank, v.Offset, v.Bytes, v.Init})
	}
	for _, v := range img.Globals {
		if len(v.Slots) > 0 {
			w.data("reloc", "reloc", dataBlock{v.Name, AddressBank, v.Slots[0].Offset, v.Bytes, v.Init})
		}
	}
	for i := range img.Kernels {
		w.kernel(&img.Kernels[i])
	}
	return w.Bytes()
}

// writer writes lines, indented once per open block.
type writer struct {
	bytes.Buffer
	depth int
}

func (w *writer) line(format string, args ...any) {
	w.Write(bytes.Repeat([]byte{'\t'}, w.depth))
	fmt.Fprintf(w, format+"\n", args...)
}

func (w *writer) open(key string) {
	w.line("%s {", key)
	w.depth++
}

func (w *writer) close() {
	w.depth--
	w.line("}")
}

func (w *writer) kernel(k *Kernel) {
	w.open("code")
	w.line("name = %s", k.Name)
	w.line("lmem = %d", k.Local)
	w.line("smem = %d", k.Shared)
	w.line("reg = %d", k.Registers)
	w.line("bar = %d", k.Barriers)
	for _, s := range k.Segments {
		w.data("const", "const", dataBlock{"", s.Bank, s.Offset, s.Bytes, s.Init})
	}
	w.words("bincode", k.Code)
	w.close()
}

func (w *writer) data(key, segname string, v dataBlock) {
	w.open(key)
	if v.name != "" {
		w.line("name = %s", v.name)
	}
	w.line("segname = %s", segname)
	w.line("segnum = %d", v.bank)
	w.line("offset = %d", v.offset)
	w.line("bytes = %d", v.bytes)
	if len(v.init) > 0 {
		padded := make([]byte, (len(v.init)+3)/4*4)
		copy(padded, v.init)
		words := make([]uint32, len(padded)/4)
		for i := range words {
			words[i] = binary.LittleEndian.Uint32(padded[4*i:])
		}
		w.words("mem", words)
	}
	w.close()
}

// words writes a block of machine words, four on a line.
func (w *writer) words(key string, words []uint32) {
	w.open(key)
	for len(words) > 0 {
		n := min(4, len(words))
		w.line("%s", hexWords(words[:n]))
		words = words[n:]
	}
	w.close()
}

func hexWords(words []uint32) []byte {
	var b []byte
	for i, v := range words {
		if i > 0 {
			b = append(b, ' ')
		}
		b = fmt.Appendf(b, "0x%08x", v)
	}
	return b
}
