package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/cubin"
	"jacquard/internal/plain"
	"jacquard/ptx"
	"jacquard/ptx/compile"
	"jacquard/ptx/load"
	"jacquard/tesla"
)

type compileFlags struct {
	out     string
	arch    string
	kernel  string
	print   string
	text    bool
	verbose bool
	verify  bool
}

func newCompile() *cobra.Command {
	var f compileFlags
	c := &cobra.Command{
		Use:   "compile FILE -o OUT.cubin",
		Short: "Compile PTX into a cubin",
		Long: `Compile PTX, the virtual machine code of CUDA compilers of all times, into machine code for
sm_10 .. sm_13. FILE "-" is standard input. The result is an ELF cubin with the parameters of
kernels and a line table: of the lines that .loc names, or else of the PTX itself.

The architecture is the PTX's target, or sm_13 for targets of later generations. What the
architecture cannot express is an error; each error is a line file:line:column: message.

--print shows the kernels after a pass of the compiler; --print list names the passes. --verify
checks them after every pass: what it finds is a mistake of the compiler.

Other commands take PTX where they take a cubin.`,
		Example: `  jacquard compile testdata/ptx/saxpy.ptx -o saxpy.cubin
  jacquard compile -v --arch sm_10 testdata/ptx/reduce.ptx -o reduce.cubin
  jacquard compile --print code-structure --kernel collatz testdata/ptx/collatz.ptx
  clang --target=nvptx64-nvidia-cuda -S -O2 kernel.cl -o - | jacquard compile - -o kernel.cubin`,
		Args: func(c *cobra.Command, args []string) error {
			if f.print == printList {
				return arguments(0, 1, "no file with --print list")(c, args)
			}
			return arguments(1, 1, "one file")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if f.print == printList {
				err := without(c, "--print list", "arch", "kernel", "output", "text", "verbose", "verify")
				if err != nil {
					return err
				}
				return listPasses(c.OutOrStdout())
			}
			if err := f.check(c); err != nil {
				return err
			}
			if err := apart(args, output{"-o", f.out}); err != nil {
				return err
			}
			return f.compile(c, args[0])
		},
	}
	c.Flags().StringVarP(&f.out, "output", "o", "", "write the cubin to `FILE`; - is standard output")
	c.Flags().StringVar(&f.arch, "arch", "", "compile for `ARCH`: sm_10, sm_11, sm_12 or sm_13 (default: the PTX's target, or sm_13)")
	c.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "print the registers and the memory that each kernel uses")
	c.Flags().StringVar(&f.print, "print", "", "print the kernels after this `PASS`, or list the passes: list")
	c.Flags().StringVar(&f.kernel, "kernel", "", "with --print: print only this `KERNEL`")
	c.Flags().BoolVar(&f.verify, "verify", false, "check the kernels after every pass of the compiler, and the registers of all values")
	c.Flags().BoolVar(&f.text, "text", false, "write a text cubin, which has no place for parameters and lines")
	return c
}

// printList is the value of --print that lists the passes.
const printList = "list"

func passNames() (names []string) {
	for _, p := range compile.Passes() {
		names = append(names, p.Name)
	}
	return names
}

func listPasses(out io.Writer) error {
	w := newTable(out)
	for _, p := range compile.Passes() {
		fmt.Fprintf(w, "%s\t%s\n", p.Name, p.What)
	}
	return w.Flush()
}

func (f *compileFlags) check(c *cobra.Command) error {
	switch {
	case f.print != "" && !slices.Contains(passNames(), f.print):
		return usagef("--print %q: want %s, or %s", f.print, list(passNames()), printList)
	case f.kernel != "" && f.print == "":
		return usagef("--kernel goes with --print PASS")
	case f.out == "" && f.print == "" && !f.verbose && !f.verify:
		return usagef("%s wants -o OUT.cubin: see %[1]s --help", c.CommandPath())
	}
	return nil
}

// parse reads the PTX at path.
func (f *compileFlags) parse(c *cobra.Command, path string) (*ptx.Module, error) {
	name, read := path, readFile
	if path == "-" {
		name, read = "<stdin>", func(string) ([]byte, error) { return io.ReadAll(c.InOrStdin()) }
	}
	text, err := read(path)
	if err != nil {
		return nil, err
	}
	if found := cubin.Sniff(text); found != cubin.PTX {
		return nil, fmt.Errorf("%s: want PTX, found %s", name, found)
	}
	m, err := ptx.Parse(name, text)
	if err != nil {
		return nil, err
	}
	if k := m.Func(f.kernel); f.kernel != "" && (k == nil || !k.Entry) {
		return nil, noKernel(name, f.kernel, entryNames(m))
	}
	return m, nil
}

func entryNames(m *ptx.Module) (names []string) {
	for _, k := range entryPoints(m) {
		names = append(names, k.Name)
	}
	return names
}

// entryPoints returns the kernels of a module.
func entryPoints(m *ptx.Module) (list []*ptx.Func) {
	for _, item := range m.Items {
		if k, ok := item.(*ptx.Func); ok && k.Entry && k.Body != nil {
			list = append(list, k)
		}
	}
	return list
}

func (f *compileFlags) compile(c *cobra.Command, path string) error {
	m, err := f.parse(c, path)
	if err != nil {
		return err
	}
	arch, err := archOr(f.arch, load.Arch(m.Target.Arch))
	if err != nil {
		return err
	}
	used := map[string]compile.Usage{}
	o := compile.Options{Arch: arch, TextLines: true, Verify: f.verify, Report: func(k *cubin.Kernel, u compile.Usage) { used[k.Name] = u }}
	if f.print != "" {
		o.Observe = f.printer(c.OutOrStdout())
	}
	img, err := compile.Compile(m, o)
	if err != nil {
		return err
	}
	if f.verbose {
		for i := range img.Kernels {
			printUsage(c.ErrOrStderr(), img, &img.Kernels[i], used[img.Kernels[i].Name])
		}
	}
	return f.write(c, img)
}

// printer returns a function that prints the kernels after the pass that --print names.
func (f *compileFlags) printer(out io.Writer) func(kernel, pass string, form fmt.Stringer) {
	return func(kernel, pass string, form fmt.Stringer) {
		if pass == f.print && (f.kernel == "" || f.kernel == kernel) {
			plain.Fprintf(out, "// %s after %s\n", kernel, pass)
			fmt.Fprint(out, form)
		}
	}
}

// write writes the cubin that -o names, whole or not at all.
func (f *compileFlags) write(c *cobra.Command, img *cubin.Image) error {
	if f.out == "" {
		return nil
	}
	data, err := f.format(img)
	if err != nil {
		return err
	}
	return writeFile(c.OutOrStdout(), f.out, content(data))
}

func (f *compileFlags) format(img *cubin.Image) ([]byte, error) {
	if !f.text {
		return elfCubin(img)
	}
	img.Name, img.ABIVersion = "cubin", 1 // as compilers of CUDA 2.x wrote
	return textCubin(img, "leave out --text")
}

// printUsage prints the resources of a kernel, in the form of NVIDIA's ptxas.
func printUsage(out io.Writer, img *cubin.Image, k *cubin.Kernel, u compile.Usage) {
	const prefix = "jacquard info    : "
	plain.Fprintf(out, prefix+"Compiling entry function '%s' for '%s'\n", k.Name, img.Arch)
	used := []string{fmt.Sprintf("%d registers", k.Registers)}
	if k.Local > 0 {
		used = append(used, fmt.Sprintf("%d+0 bytes lmem", k.Local))
	}
	used = append(used, fmt.Sprintf("%d+%d bytes smem", k.Shared-tesla.HeaderBytes, tesla.HeaderBytes))
	for bank, bytes := range constantBytes(img, k) {
		if bytes > 0 {
			used = append(used, fmt.Sprintf("%d bytes cmem[%d]", bytes, bank))
		}
	}
	plain.Fprintf(out, prefix+"Used %s\n", strings.Join(used, ", "))
	if u.Stack > 0 {
		plain.Fprintf(out, prefix+"%d bytes of lmem are a stack\n", u.Stack)
	}
	if u.Words > 0 || u.Rematerialised > 0 {
		plain.Fprintf(out, prefix+"Spilled %d bytes by %d stores and %d loads, computed %d registers again\n",
			4*u.Words, u.Stores, u.Loads, u.Rematerialised)
	}
}

// constantBytes returns how many bytes of each constant bank a kernel finds filled.
func constantBytes(img *cubin.Image, k *cubin.Kernel) (bytes [tesla.Banks]int) {
	for _, v := range img.Constants {
		bytes[0] = max(bytes[0], v.Offset+v.Bytes)
	}
	for _, g := range img.Globals {
		for _, s := range g.Slots {
			bytes[cubin.AddressBank] = max(bytes[cubin.AddressBank], s.Offset+4)
		}
	}
	for _, s := range k.Segments {
		bytes[s.Bank] = max(bytes[s.Bank], s.Offset+s.Bytes)
	}
	return bytes
}

// mistakes returns the lines of an error about PTX: one for each mistake.
func mistakes(err error) (lines []string, ok bool) {
	var first *ptx.Error
	if !errors.As(err, &first) {
		return nil, false
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		lines = append(lines, oneLine(line))
	}
	return lines, true
}
