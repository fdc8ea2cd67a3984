package cli

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"jacquard/study/launch"
	"jacquard/tesla"
)

// jobFlags say how one kernel of a cubin or program is launched.
type jobFlags struct {
	grid   numbers
	block  numbers
	shared int
	image  int
	arch   string // target of compiled PTX

	args    []string
	pointer int
}

// argumentsHelp explains --arg.
const argumentsHelp = `Arguments are given in order, each with its type:

  --arg i32:-5               also i8 i16 i64 u8 u16 u32 u64; any Go base (0x.., 0b..)
  --arg f32:1.5              also f64; 0x.. gives the bits
  --arg ptr:0x1000           a device address as it is
  --arg buf:4k               a buffer of that many bytes, and its address as the argument:
        buf:SIZE[:zero|:pattern=HEX|:seed=N|:file=PATH][:name=NAME]
                             k, m and g (or K, M, G) are 2^10, 2^20 and 2^30 bytes;
                             a pattern is one number of 2, 4, 8 or 16 digits, repeated;
                             the size may be empty with a file

Buffers without a name are called arg0, arg1, ... by their place among the arguments.

An ELF cubin declares the parameters of a kernel: the arguments must match, a structure's
members one by one. Addresses have 8 bytes if the cubin was compiled for a 64-bit host. A
text cubin declares only how many bytes fit; where the width of addresses matters and does not
follow from that, --pointer gives it. Too few arguments go unnoticed there.`

// launchFlags lists the flags that a test.json replaces.
var launchFlags = []string{"arg", "block", "grid", "image", "pointer", "shared"}

func (f *jobFlags) add(c *cobra.Command) {
	fl := c.Flags()
	f.grid, f.block = numbers{1}, numbers{32}
	fl.Var(&f.grid, "grid", "blocks in `X[,Y]`")
	fl.Var(&f.block, "block", "threads of a block in `X[,Y[,Z]]`")
	fl.IntVar(&f.shared, "shared", 0, "`BYTES` of dynamic shared memory")
	fl.IntVar(&f.image, "image", 0, "take the kernel from image `N` of a file with several (jacquard info numbers them)")
	fl.IntVar(&f.pointer, "pointer", 0, "`BYTES` of an address among the parameters of a text cubin, 4 or 8; other files declare it")
	fl.StringArrayVar(&f.args, "arg", nil, "next argument of the kernel, `TYPE:VALUE` or buf:SIZE...")
}

// numbers is the value of a flag: integers with commas between. If the flag is given twice, the last
// counts, and is not appended to the first.
type numbers []int

func (n *numbers) Set(text string) error {
	*n = nil
	for part := range strings.SplitSeq(text, ",") {
		number, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			return errors.Unwrap(err) // pflag adds the text
		}
		*n = append(*n, number)
	}
	return nil
}

func (n *numbers) String() string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint([]int(*n)), "[]"), " ", ",")
}

// Type is the kind of value, for pflag.
func (n *numbers) Type() string { return "numbers" }

// job makes the launch that the command line describes. PTX is compiled for the architecture of
// --arch, or else for another one; "" is the PTX's own.
func (f *jobFlags) job(args []string, other string) (*launch.Job, error) {
	file, err := openFile(args[0], cmp.Or(f.arch, other))
	if err != nil {
		return nil, err
	}
	j := &launch.Job{
		Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Shared: f.shared,
		Pointer: cmp.Or(f.pointer, file.pointer), Program: args[0],
	}
	if f.pointer != 0 && f.pointer != 4 && f.pointer != 8 {
		return nil, usagef("--pointer %d: want 4 or 8 bytes", f.pointer)
	}
	kernel := ""
	if len(args) > 1 {
		kernel = args[1]
	}
	if j.Images, j.PTX, j.Kernel, err = file.choose(kernel, f.image); err != nil {
		return nil, err
	}
	return j, f.fill(j)
}

// fill sets the shape and the arguments of a launch.
func (f *jobFlags) fill(j *launch.Job) error {
	if err := cmp.Or(shape("grid", f.grid, j.Grid[:]), shape("block", f.block, j.Block[:])); err != nil {
		return err
	}
	if f.shared < 0 || f.shared > math.MaxInt32 {
		return usagef("--shared %d: want 0 to %d bytes", f.shared, tesla.SharedBytes)
	}
	for i, arg := range f.args {
		p, err := launch.ParseArg(arg, i)
		if err != nil {
			return usagef("--arg: %w", err)
		}
		if p.Buffer != nil && slices.ContainsFunc(j.Params, func(q launch.Param) bool { return q.Buffer != nil && q.Name == p.Name }) {
			return usagef("--arg: two buffers are called %q", p.Name)
		}
		j.Params = append(j.Params, p)
	}
	return nil
}

// fills returns the files that fill buffers.
func (f *jobFlags) fills() (files []string) {
	for _, arg := range f.args {
		if path := launch.FileOf(arg); path != "" {
			files = append(files, path)
		}
	}
	return files
}

// shape copies the numbers of a flag to dims; there may be fewer.
func shape(flag string, given, dims []int) error {
	if len(given) == 0 || len(given) > len(dims) {
		return usagef("--%s: want 1 to %d numbers with commas between, not %d", flag, len(dims), len(given))
	}
	for _, n := range given {
		if n < 1 || n > math.MaxInt32 {
			return usagef("--%s: %d is no size: want 1 to 65535", flag, n)
		}
	}
	copy(dims, given)
	return nil
}
