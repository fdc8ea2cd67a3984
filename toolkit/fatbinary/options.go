package fatbinary

import (
	"fmt"
	"strings"

	"jacquard/toolkit/options"
)

var tool = options.Tool{
	Name: "fatbinary", Title: "Jacquard's, in the place of NVIDIA's fatbinary",
	Usage: "fatbinary puts machine code and PTX into a fat binary: fatbinary [options]",
	Table: table,
}

var table = options.Table{
	{Long: "create", Kind: options.Value, Value: "FILE", Help: "write the fat binary to FILE"},
	{Long: "image", Kind: options.Value, Value: "profile=ARCH,file=FILE", Help: "take FILE in; repeat for more"},
	{Long: "image3", Kind: options.Value, Value: "kind=elf|ptx,sm=N,file=FILE", Help: "the same, as later compilers write it"},
	{Long: "embedded-fatbin", Kind: options.Value, Value: "FILE", Help: "write a C file that defines the fat binary"},
	{Long: "64", Help: "for 64-bit programs, as always"},
	{Long: "32", Help: "for 32-bit programs: not supported"},
	{Long: "cuda", Help: "without effect"},
	{Long: "ident", Kind: options.Value, Value: "NAME", Help: "the name of the source file"},
	{Long: "cmdline", Kind: options.Value, Value: "TEXT", Help: "without effect"},
	{Long: "key", Kind: options.Value, Value: "TEXT", Help: "without effect"},
	{Long: "compress", Kind: options.Value, Value: "BOOL", Help: "without effect: nothing is compressed"},
	{Long: "compress-all", Help: "without effect: nothing is compressed"},
	{Long: "device-debug", Short: "g", Help: "without effect"},
}

// image is a file to take in, and the architecture that the command line gives it.
type image struct {
	profile string // sm_20 or compute_20
	virtual bool   // the latter
	path    string
}

// settings is a command line that was understood.
type settings struct {
	out, embedded string
	source        string
	images        []image
}

func parse(given []options.Given) (*settings, error) {
	s := new(settings)
	for _, g := range given {
		if err := s.take(g); err != nil {
			return nil, err
		}
	}
	if s.out == "" && s.embedded == "" {
		return nil, fmt.Errorf("no output: use --create FILE; --help lists the options")
	}
	return s, nil
}

func (s *settings) take(g options.Given) error {
	switch g.Name {
	case "":
		return fmt.Errorf("%s: files come as --image=profile=ARCH,file=FILE", g.Value)
	case "create":
		s.out = g.Value
	case "embedded-fatbin":
		s.embedded = g.Value
	case "ident":
		s.source = g.Value
	case "image", "image3":
		i, err := parseImage(g.Value)
		if err != nil {
			return fmt.Errorf("--%s=%s: %w", g.Name, g.Value, err)
		}
		s.images = append(s.images, i)
	case "32":
		return fmt.Errorf("-32: device code belongs to 64-bit programs here: use -64")
	}
	return nil
}

// parseImage reads "profile=sm_20,file=X" and "kind=elf,sm=20,file=X". The name of the file comes
// last and may hold commas.
func parseImage(text string) (i image, err error) {
	kind, number := "elf", ""
	for rest := text; rest != ""; {
		if path, last := strings.CutPrefix(rest, "file="); last {
			i.path = path
			break
		}
		var field string
		field, rest, _ = strings.Cut(rest, ",")
		name, value, _ := strings.Cut(field, "=")
		switch name {
		case "profile":
			i.profile = value
		case "kind":
			kind = value
		case "sm":
			number = value
		default:
			return i, fmt.Errorf("unknown field %q: want profile, kind, sm and file, which comes last", name)
		}
	}
	switch {
	case i.path == "":
		return i, fmt.Errorf("file= is missing")
	case number != "" && kind == "ptx":
		i.profile = "compute_" + number
	case number != "" && kind == "elf":
		i.profile = "sm_" + number
	}
	var ok bool
	if _, i.virtual, ok = options.Arch(i.profile); !ok {
		return i, fmt.Errorf("want profile=sm_N, profile=compute_N, or kind=elf|ptx,sm=N")
	}
	return i, nil
}
