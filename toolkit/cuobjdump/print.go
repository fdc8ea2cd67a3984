package cuobjdump

import (
	"fmt"
	"io"
	"slices"

	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/decoder/sass"
	"jacquard/internal/plain"
	"jacquard/ptx/jit"
	"jacquard/tesla"
)

// dump prints an image in the forms that the command line asks for.
func (s *settings) dump(i image, out io.Writer) error {
	if i.Container == cubin.PTX {
		return s.dumpPTX(i, out)
	}
	if !s.on["dump-sass"] && !s.on["dump-resource-usage"] {
		return nil
	}
	i.title(out, "elf")
	if !i.Runs(tesla.SM13) {
		fmt.Fprintf(out, "code for %s, which is not shown: sm_10 to sm_13 are\n", i.Target())
		return nil
	}
	img, err := i.Image()
	if err != nil {
		return err
	}
	if len(s.functions) > 0 {
		img.Kernels = slices.DeleteFunc(img.Kernels, func(k cubin.Kernel) bool { return !slices.Contains(s.functions, k.Name) })
	}
	if s.on["dump-resource-usage"] {
		for _, line := range jit.Report(img) {
			plain.Fprintf(out, "%s\n", line)
		}
	}
	if s.on["dump-sass"] {
		fmt.Fprintf(out, "\n\tcode for %s\n", img.Arch)
		for n := range img.Kernels {
			instructions(out, img.Arch, &img.Kernels[n])
		}
	}
	return nil
}

// title prints the kind of the following code, in the form of NVIDIA's tool.
func (i image) title(out io.Writer, kind string) {
	plain.Fprintf(out, "\nFatbin %s code:\n================\narch = sm_%d\n", kind, i.Arch)
	if i.Source != "" {
		plain.Fprintf(out, "identifier = %s\n", i.Source)
	}
}

// instructions prints the code of a kernel.
func instructions(out io.Writer, a tesla.Arch, k *cubin.Kernel) {
	plain.Fprintf(out, "\t\tFunction : %s\n", k.Name)
	at := 0
	for _, in := range decoder.Kernel(a, k.Code) {
		words := fmt.Sprintf("0x%08x", in.Raw[0])
		if in.Size == 8 {
			words = fmt.Sprintf("0x%08x%08x", in.Raw[1], in.Raw[0])
		}
		fmt.Fprintf(out, "\t/*%04x*/     %-50s /* %s */\n", at, sass.Text(in)+";", words)
		at += int(in.Size)
	}
	fmt.Fprintln(out, "\t\t................................")
}

// dumpPTX prints an image of PTX.
func (s *settings) dumpPTX(i image, out io.Writer) error {
	if !s.on["dump-ptx"] {
		return nil
	}
	data, err := i.content()
	if err != nil {
		return err
	}
	i.title(out, "ptx")
	w := plain.NewWriter(out)
	if _, err := w.Write(append(data, '\n')); err != nil {
		return err
	}
	return w.Flush()
}
