package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/cubin"
	"jacquard/decoder/asm"
)

func newAsm() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "asm FILE -o OUT.cubin",
		Short: "Assemble the output of dis into a cubin",
		Long: `Assemble a text into a text cubin. FILE "-" is standard input. The text is the output of
jacquard dis for a file, in either syntax, or written by hand: a line .module, for each kernel
a line .kernel with its resources, and instructions with labels and // comments.

A text cubin has no place for parameters, thread bounds and texture units of one kernel
(.param, threads=, .texture); they are left out.

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
	read := func() ([]byte, error) { return os.ReadFile(path) }
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
	if err := nameable(img); err != nil {
		return err
	}
	data := cubin.Format(img)
	if out == "-" {
		_, err := c.OutOrStdout().Write(data)
		return err
	}
	return writeFile(out, path, content(data))
}

// nameable refuses names that a text cubin cannot hold.
func nameable(img *cubin.Image) error {
	names := []string{img.Name}
	for i := range img.Kernels {
		names = append(names, img.Kernels[i].Name)
	}
	for _, v := range img.Constants {
		names = append(names, v.Name)
	}
	for _, v := range img.Globals {
		names = append(names, v.Name)
	}
	for _, s := range img.Samplers {
		names = append(names, s.Name)
	}
	for _, n := range names {
		if strings.ContainsAny(n, " \t\r\n{}=") {
			return fmt.Errorf("a text cubin cannot hold the name %q", n)
		}
	}
	return nil
}
