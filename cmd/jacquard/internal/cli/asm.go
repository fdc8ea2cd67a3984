package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"jacquard/asm"
	"jacquard/cubin"
)

func newAsm() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "asm FILE -o OUT.cubin",
		Short: "Assemble the output of dis into a cubin",
		Long: `Assemble a text into a cubin. FILE "-" is standard input. The text is the output of
jacquard dis for a file, in either syntax, or written by hand: a line .module, for each kernel
a line .kernel with its resources, and instructions with labels and // comments.

A .module with pointer=4 or pointer=8, as dis prints of ELF cubins, makes an ELF cubin, any
other a text cubin. A text cubin has no place for parameters, thread bounds and the target of the
PTX (.param, threads=, virtual=); they are left out. What else it cannot hold is an error.

A mistake is reported with its line and column, and with what would fit there.`,
		Example: `  jacquard dis --labels vecadd.cubin > vecadd.s
  jacquard asm vecadd.s -o vecadd2.cubin
  jacquard dis vecadd.cubin | jacquard asm - -o same.cubin`,
		Args: arguments(1, 1, "one file"),
		RunE: func(c *cobra.Command, args []string) error {
			if out == "" {
				return usagef("%s wants -o OUT.cubin: see %[1]s --help", c.CommandPath())
			}
			return assemble(c, args[0], out)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "write the cubin to `FILE`; - is standard output")
	return c
}

func assemble(c *cobra.Command, path, out string) error {
	if err := apart([]string{path}, output{"-o", out}); err != nil {
		return err
	}
	read := func() ([]byte, error) { return readFile(path) }
	if path == "-" {
		read = func() ([]byte, error) { return io.ReadAll(c.InOrStdin()) }
	}
	text, err := read()
	if err != nil {
		return err
	}
	img, err := asm.Read(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	data, err := assembled(img)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return writeFile(c.OutOrStdout(), out, content(data))
}

// assembled returns img in the container that its text describes: only ELF cubins record the width of
// an address.
func assembled(img *cubin.Image) ([]byte, error) {
	if img.Pointer != 0 {
		return elfCubin(img)
	}
	return textCubin(img, "add pointer=4 or pointer=8 to .module for an ELF cubin")
}
