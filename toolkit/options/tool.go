package options

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
)

// The release of CUDA that the toolkit stands for. TestRelease knows the headers and makefiles that
// repeat it.
const (
	Major   = "10"
	Minor   = "0"
	Build   = "130"
	Release = Major + "." + Minor
)

// Tool is a program in the place of one of NVIDIA's.
type Tool struct {
	Name  string
	Title string // what --version calls it
	Usage string // the beginning of the help
	Table Table  // without the options of all tools
}

// common are the options of all tools.
var common = Table{
	{Long: "version", Short: "V", Help: "print the version"},
	{Long: "help", Short: "h", Help: "print this text"},
}

// Machine is the size of pointers, which [Tool.Parse] checks.
var Machine = Option{Long: "machine", Short: "m", Kind: Joined, Value: "64", Help: "the size of pointers in bits: 64 alone"}

// Parse is [Table.Parse] for a tool. If the command line asks for the help or the version, Parse
// prints it and nothing is left to do.
func (t *Tool) Parse(args []string, stdout io.Writer) (given []Given, done bool, err error) {
	table := slices.Concat(t.Table, common)
	if given, err = table.Parse(args); err != nil {
		return nil, false, err
	}
	done, err = t.answer(table, given, stdout)
	return given, done, err
}

// ParseLeading is [Table.ParseLeading] for a tool, with help and version as Parse has them.
func (t *Tool) ParseLeading(args []string, stdout io.Writer) (given []Given, rest []string, done bool, err error) {
	table := slices.Concat(t.Table, common)
	if given, rest, err = table.ParseLeading(args); err != nil {
		return nil, nil, false, err
	}
	done, err = t.answer(table, given, stdout)
	return given, rest, done, err
}

// answer prints the help or the version if one of them is asked for, and checks the machine.
func (t *Tool) answer(table Table, given []Given, stdout io.Writer) (done bool, err error) {
	for _, g := range given {
		switch {
		case g.Name == "help":
			fmt.Fprintln(stdout, t.Usage)
			table.Help(stdout)
			return true, nil
		case g.Name == "version":
			fmt.Fprintf(stdout, "%s: %s\n", t.Name, t.Title)
			fmt.Fprintf(stdout, "Cuda compilation tools, release %s, V%s.%s\n", Release, Release, Build)
			return true, nil
		case g.Name == Machine.Long && g.Value != Machine.Value:
			return false, &Error{"-m" + g.Value, "device code belongs to 64-bit programs here: use -m64"}
		}
	}
	return false, nil
}

// Arch returns the number of an architecture, and whether it is a virtual one. ok is false for a
// name that is none.
func Arch(name string) (n int, virtual, ok bool) {
	found := archName.FindStringSubmatch(name)
	if found == nil {
		return 0, false, false
	}
	n, _ = strconv.Atoi(found[2]) // the pattern has few digits
	return n, found[1] == "compute", true
}

// archName may end in a letter for the features of one architecture: sm_90a.
var archName = regexp.MustCompile(`^(sm|compute)_([0-9]{2,3})[af]?$`)
