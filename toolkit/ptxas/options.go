package ptxas

import (
	"fmt"
	"strconv"

	"jacquard/ptx/load"
	"jacquard/tesla"
	"jacquard/toolkit/options"
)

var tool = options.Tool{
	Name: "ptxas", Title: "Jacquard's PTX compiler, in the place of NVIDIA's ptxas",
	Usage: "ptxas compiles PTX to machine code for sm_10 to sm_13: ptxas [options] FILE",
	Table: table,
}

var table = options.Table{
	{Long: "output-file", Short: "o", Kind: options.Value, Value: "FILE", Help: "write the ELF cubin to FILE (default: elf.o)"},
	{Long: "gpu-name", Short: "arch", Kind: options.Value, Value: "ARCH", Help: "compile for sm_10 .. sm_13; later ones mean sm_13"},
	{Long: "virtual-arch", Kind: options.Value, Value: "ARCH", Help: "record that __CUDA_ARCH__ was that of ARCH, where it is not the PTX's target"},
	{Long: "maxrregcount", Short: "maxrregcount", Kind: options.Value, Value: "N", Help: "use N registers per thread at most"},
	{Long: "verbose", Short: "v", Help: "print the registers and the memory of each kernel"},
	{Long: "generate-line-info", Short: "lineinfo", Help: "give kernels without .loc a line table of the PTX"},
	{Long: "opt-level", Short: "O", Kind: options.Joined, Value: "N", Help: "without effect: all code is optimized"},
	options.Machine,
	{Long: "device-debug", Short: "g", Help: "without effect: the PTX has what debuggers need"},
	{Long: "dont-merge-basicblocks", Short: "no-bb-merge", Help: "without effect"},
	{Long: "compile-only", Short: "c", Help: "without effect: nothing is linked"},
	{Long: "return-at-end", Short: "ret-end", Help: "without effect"},
	{Long: "suppress-debug-info", Help: "without effect"},
	{Long: "warn-on-spills", Help: "without effect"},
	{Long: "disable-optimizer-constants", Help: "without effect"},
	{Long: "def-load-cache", Short: "dlcm", Kind: options.Value, Value: "ca|cg|cs|cv", Help: "without effect: sm_1x has no cache"},
	{Long: "def-store-cache", Short: "dscm", Kind: options.Value, Value: "wb|cg|cs|wt", Help: "without effect: sm_1x has no cache"},
	{Long: "fmad", Kind: options.Value, Value: "BOOL", Help: "without effect: the PTX says what may be contracted"},
}

// settings is a command line that was understood.
type settings struct {
	input, output string
	arch          tesla.Arch
	virtual       int // 13 for compute_13; 0 for the target of the PTX
	registers     int
	verbose       bool
	lines         bool
}

func parse(given []options.Given) (*settings, error) {
	s := &settings{output: "elf.o", arch: tesla.SM13}
	for _, g := range given {
		if err := s.take(g); err != nil {
			return nil, err
		}
	}
	if s.input == "" {
		return nil, fmt.Errorf("no input file; --help lists the options")
	}
	return s, nil
}

func (s *settings) take(g options.Given) (err error) {
	switch g.Name {
	case "":
		if s.input != "" {
			return fmt.Errorf("%s: one input at a time; %s is there already", g.Value, s.input)
		}
		s.input = g.Value
	case "output-file":
		s.output = g.Value
	case "gpu-name":
		n, _, ok := options.Arch(g.Value)
		if !ok {
			return fmt.Errorf("--gpu-name %s: want sm_10, sm_11, sm_12, sm_13 or a later one", g.Value)
		}
		s.arch = load.Arch(n)
	case "virtual-arch":
		var ok bool
		if s.virtual, _, ok = options.Arch(g.Value); !ok {
			return fmt.Errorf("--virtual-arch %s: want compute_10 or a later one", g.Value)
		}
	case "maxrregcount":
		if s.registers, err = strconv.Atoi(g.Value); err != nil {
			return fmt.Errorf("--maxrregcount=%s: want a number", g.Value)
		}
	case "verbose":
		s.verbose = g.On()
	case "generate-line-info":
		s.lines = g.On()
	}
	return err
}
