package cli

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/asm"
	"jacquard/cubin"
	"jacquard/decoder"
	"jacquard/internal/plain"
	"jacquard/tesla"
)

// syntaxes lists the names of the syntaxes, the default first.
var syntaxes = []string{asm.Envy.Name, asm.SASS.Name}

type disFlags struct {
	words  bool
	labels bool
	arch   string
	syntax string
	kernel string
	image  int
	lines  bool
}

func newDis() *cobra.Command {
	var f disFlags
	c := &cobra.Command{
		Use:   "dis FILE | dis --words",
		Short: "Disassemble a cubin or program, or words from standard input",
		Long: `Disassemble a cubin, every cubin in a fat binary, or every cubin that a program, library, object
file or archive carries: variables, constants, texture references and kernels. Or, with --words,
disassemble hexadecimal instruction words from standard input: one instruction per line, "w0" or
"w0,w1", and one line of output for each.

--syntax sass prints in the style of NVIDIA's own disassembler (cuobjdump -sass of CUDA 4), in
which offsets count words and the end of a kernel does not show.

PTX is compiled first, for --arch. Where there is a line table, comments before the code show file
and line, and the text of the line if the file is there.

An encoding that the architecture lacks prints ??? first; that is no error.`,
		Example: `  jacquard dis vecadd.cubin
  jacquard dis --arch sm_13 --kernel vecadd vecadd.cubin
  jacquard dis --image 2 program
  jacquard dis --syntax sass vecadd.cubin
  jacquard dis --labels testdata/mesa-kernels/calls/sm_10.cubin
  echo 3000cffd,642107c8 | jacquard dis --words --arch sm_10`,
		Args: func(c *cobra.Command, args []string) error {
			if f.words {
				return arguments(0, 0, "no file with --words")(c, args)
			}
			return arguments(1, 1, "one file, or --words")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := oneOf("syntax", f.syntax, syntaxes...); err != nil {
				return err
			}
			if f.words {
				if err := without(c, "--words", "kernel", "image", "labels", "lines"); err != nil {
					return err
				}
				return disWords(c, &f)
			}
			return disFile(c, args[0], &f)
		},
	}
	c.Flags().BoolVar(&f.words, "words", false, "read instruction words from standard input")
	c.Flags().BoolVar(&f.labels, "labels", false, "print names for places in the code, and no addresses")
	c.Flags().StringVar(&f.arch, "arch", "", "decode for `ARCH`: sm_10, sm_11, sm_12 or sm_13 (default: the file's own, sm_13 for words)")
	c.Flags().StringVar(&f.syntax, "syntax", syntaxes[0], "`SYNTAX` of the instructions: "+list(syntaxes))
	c.Flags().StringVar(&f.kernel, "kernel", "", "disassemble only this `KERNEL`")
	c.Flags().BoolVar(&f.lines, "lines", true, "print the source line of code as a comment, where the file has a line table")
	c.Flags().IntVar(&f.image, "image", 0, "disassemble only image `N` of a file with several (jacquard info numbers them)")
	return c
}

// archOr returns the architecture that the flag --arch names, or def for "".
func archOr(flag string, def tesla.Arch) (tesla.Arch, error) {
	if flag == "" {
		return def, nil
	}
	a, err := tesla.ParseArch(flag)
	if err != nil {
		return 0, usagef("--arch: %w", err)
	}
	return a, nil
}

// form returns the syntax that the flag names.
func (f *disFlags) form() asm.Syntax {
	if f.syntax == asm.SASS.Name {
		return asm.SASS
	}
	return asm.Envy
}

func disFile(c *cobra.Command, path string, f *disFlags) error {
	file, err := openFile(path, f.arch)
	if err != nil {
		return err
	}
	images, err := file.machineCode()
	if err != nil {
		return err
	}
	if f.image != 0 {
		if images, err = file.only(images, f.image); err != nil {
			return err
		}
	}
	out := c.OutOrStdout()
	var missing error
	printed := 0
	for i := range images {
		img, arch, err := file.readAs(f.arch, &images[i])
		if err != nil {
			return err
		}
		kernels := img.Kernels
		if f.kernel != "" {
			k := img.Kernel(f.kernel)
			if k == nil {
				missing = noKernel(file.name(&images[i]), f.kernel, kernelNames(img)) // another image may have it
				continue
			}
			kernels = []cubin.Kernel{*k}
		}
		if printed > 0 {
			fmt.Fprintln(out)
		}
		printed++
		if !file.plain() {
			plain.Fprintf(out, "// image %d: %s for %s\n", images[i].number, images[i].Container, images[i].Target())
		}
		some := *img
		some.Kernels = kernels
		w := asm.Writer{Syntax: f.form(), Labels: f.labels}
		if f.lines {
			w.Source = sources{}.line
		}
		if err := w.Write(out, arch, &some); err != nil {
			return err
		}
	}
	if printed == 0 {
		return missing
	}
	return nil
}

func disWords(c *cobra.Command, f *disFlags) error {
	arch, err := archOr(f.arch, tesla.SM13)
	if err != nil {
		return err
	}
	text := f.form().Text
	in := bufio.NewReader(c.InOrStdin())
	out := bufio.NewWriter(c.OutOrStdout())
	defer out.Flush()
	for n := 1; ; n++ {
		line, err := in.ReadString('\n')
		if err == io.EOF && line == "" {
			return out.Flush()
		}
		if err != nil && err != io.EOF {
			return err
		}
		decoded, err := decodeLine(arch, strings.TrimRight(line, "\r\n"))
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		fmt.Fprintln(out, text(decoded))
		if in.Buffered() == 0 { // a caller may wait for the answer
			out.Flush()
		}
	}
}

// decodeLine returns the instruction that line holds as "w0" or "w0,w1".
func decodeLine(arch tesla.Arch, line string) (tesla.Instruction, error) {
	first, second, two := strings.Cut(line, ",")
	w0, err := parseWord(first)
	if err != nil {
		return tesla.Instruction{}, err
	}
	if !two || strings.TrimSpace(second) == "" {
		// To the decoder the kernel ends here, so it sees a long instruction cut off.
		return decoder.Kernel(arch, []uint32{w0})[0], nil
	}
	w1, err := parseWord(second)
	if err != nil {
		return tesla.Instruction{}, err
	}
	return decoder.Decode(arch, w0, w1), nil
}

func parseWord(s string) (uint32, error) {
	digits := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(s)), "0x")
	w, err := strconv.ParseUint(digits, 16, 32)
	if err != nil {
		return 0, fmt.Errorf("%q is no hexadecimal 32-bit word: want w0 or w0,w1", s)
	}
	return uint32(w), nil
}
