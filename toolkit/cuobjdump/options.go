package cuobjdump

import (
	"fmt"

	"jacquard/toolkit/options"
)

var tool = options.Tool{
	Name: "cuobjdump", Title: "Jacquard's, in the place of NVIDIA's cuobjdump",
	Usage: "cuobjdump shows the device code of files: cuobjdump [options] FILE...",
	Table: table,
}

var table = options.Table{
	{Long: "list-elf", Short: "lelf", Help: "list the machine code"},
	{Long: "list-ptx", Short: "lptx", Help: "list the PTX"},
	{Long: "extract-elf", Short: "xelf", Kind: options.Value, Value: "PART|all", Help: "write machine code whose name has PART in it to files"},
	{Long: "extract-ptx", Short: "xptx", Kind: options.Value, Value: "PART|all", Help: "write PTX whose name has PART in it to files"},
	{Long: "dump-sass", Short: "sass", Help: "print instructions"},
	{Long: "dump-ptx", Short: "ptx", Help: "print PTX"},
	{Long: "dump-resource-usage", Short: "res-usage", Help: "print registers and memory of each kernel"},
	{Long: "dump-elf", Short: "elf", Help: "not supported: use -xelf and readelf"},
	{Long: "gpu-architecture", Short: "arch", Kind: options.Value, Value: "sm_N", Help: "only code for this architecture"},
	{Long: "function", Short: "fun", Kind: options.List, Value: "NAME,...", Help: "only these kernels"},
	{Long: "all-fatbin", Short: "all", Help: "without effect: all fat binaries count"},
}

// settings is a command line that was understood.
type settings struct {
	files     []string
	on        map[string]bool   // flags
	extract   map[string]string // the pattern of extract-elf and of extract-ptx
	arch      int               // 0 for all
	functions []string
}

func parse(given []options.Given) (*settings, error) {
	s := &settings{on: map[string]bool{}, extract: map[string]string{}}
	for _, g := range given {
		switch g.Name {
		case "":
			s.files = append(s.files, g.Value)
		case "extract-elf", "extract-ptx":
			s.extract[g.Name] = g.Value
		case "gpu-architecture":
			var ok bool
			if s.arch, _, ok = options.Arch(g.Value); !ok {
				return nil, fmt.Errorf("-arch %s: want sm_N", g.Value)
			}
		case "function":
			s.functions = append(s.functions, options.Split(g.Value)...)
		case "dump-elf":
			return nil, fmt.Errorf("-elf: not supported: -xelf all writes files that readelf prints")
		default:
			s.on[g.Name] = g.On()
		}
	}
	switch {
	case len(s.files) == 0:
		return nil, fmt.Errorf("no input file; --help lists the options")
	case !s.on["list-elf"] && !s.on["list-ptx"] && !s.on["dump-sass"] && !s.on["dump-ptx"] && !s.on["dump-resource-usage"] && len(s.extract) == 0:
		return nil, fmt.Errorf("nothing to do: -lelf, -lptx, -xelf, -xptx, -sass or -ptx says what")
	}
	return s, nil
}
