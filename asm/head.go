package asm

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"jacquard/cubin"
	"jacquard/tesla"
)

// Head prints the parts of a module that all kernels share.
func (w *Writer) Head(to io.Writer, a tesla.Arch, img *cubin.Image) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".module %s abi=%d", a, img.ABIVersion)
	if img.Name != "" {
		fmt.Fprintf(&b, " name=%s", word(img.Name))
	}
	if img.Pointer != 0 {
		fmt.Fprintf(&b, " pointer=%d", img.Pointer)
	}
	if img.Virtual != 0 {
		fmt.Fprintf(&b, " virtual=%d", img.Virtual)
	}
	if w.Syntax.Name != Envy.Name {
		fmt.Fprintf(&b, " syntax=%s", w.Syntax.Name)
	}
	b.WriteByte('\n')
	for _, s := range img.Samplers {
		fmt.Fprintf(&b, ".sampler %s", word(s.Name))
		if s.Unit >= 0 {
			fmt.Fprintf(&b, " unit=%d", s.Unit)
		}
		b.WriteByte('\n')
	}
	for _, v := range img.Constants {
		fmt.Fprintf(&b, ".constant %s offset=%d bytes=%d\n", word(v.Name), v.Offset, v.Bytes)
		writeData(&b, v.Init)
	}
	for _, g := range img.Globals {
		fmt.Fprintf(&b, ".global %s bytes=%d", word(g.Name), g.Bytes)
		for _, s := range g.Slots {
			fmt.Fprintf(&b, " slot=%d+%d", s.Offset, s.Addend)
		}
		b.WriteByte('\n')
		writeData(&b, g.Init)
	}
	for _, p := range img.Pointers {
		fmt.Fprintf(&b, ".pointer %s offset=%d", word(img.Globals[p.Of].Name), p.Offset)
		if p.In >= 0 {
			fmt.Fprintf(&b, " in=%s", word(img.Globals[p.In].Name))
		}
		b.WriteByte('\n')
	}
	writeBanks(&b, img.Segments)
	_, err := io.WriteString(to, b.String())
	return err
}

// kernelHead prints the resources of a kernel.
func kernelHead(b io.Writer, k *cubin.Kernel, sizes Sizes) {
	fmt.Fprintf(b, ".kernel %s registers=%d shared=%d local=%d barriers=%d", word(k.Name), k.Registers, k.Shared, k.Local, k.Barriers)
	if t := k.MaxThreads; t != [3]int{} {
		fmt.Fprintf(b, " threads=%dx%dx%d", t[0], t[1], t[2])
	}
	if sizes != Pairs {
		fmt.Fprintf(b, " sizes=%s", sizeNames[sizes])
	}
	fmt.Fprintln(b)
	if k.Params != nil && len(k.Params) == 0 {
		fmt.Fprintln(b, ".params none")
	}
	for _, p := range k.Params {
		padded := ""
		if p.Padded {
			padded = " padded=1"
		}
		fmt.Fprintf(b, ".param offset=%d bytes=%d%s\n", p.Offset, p.Size, padded)
	}
	for _, t := range k.Textures {
		fmt.Fprintf(b, ".texture sampler=%d unit=%d\n", t.Sampler, t.Unit)
	}
	writeBanks(b, k.Segments)
}

func writeBanks(b io.Writer, segments []cubin.Segment) {
	for _, s := range segments {
		fmt.Fprintf(b, ".bank %d offset=%d bytes=%d\n", s.Bank, s.Offset, s.Bytes)
		writeData(b, s.Init)
	}
}

// writeData prints initial content: words, and the bytes after the last whole word.
func writeData(b io.Writer, data []byte) {
	for len(data) >= 4 {
		var words []uint32
		for len(data) >= 4 && len(words) < 8 {
			words = append(words, binary.LittleEndian.Uint32(data))
			data = data[4:]
		}
		fmt.Fprintf(b, ".words%s\n", hexWords(words))
	}
	if len(data) > 0 {
		fmt.Fprintf(b, ".bytes % #x\n", data)
	}
}

// word returns a name as one word of a line, quoted if necessary.
func word(name string) string {
	strange := func(c rune) bool {
		return c != '_' && c != '.' && c != '$' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}
	if name == "" || strings.ContainsFunc(name, strange) {
		return strconv.Quote(name)
	}
	return name
}
