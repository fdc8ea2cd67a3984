package bind

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
)

// program is the content of an executable's or library's ELF headers.
type program struct {
	path    string
	class   elf.Class
	machine elf.Machine
	// interpreter is the dynamic loader that starts the program; "" for a library or a static
	// program.
	interpreter string
	shared      bool   // a library, or a module that a program loads
	soname      string // the library's name for itself
	needed      []string
	rpath       []string // searched before LD_LIBRARY_PATH; ignored if there is a runpath
	runpath     []string // searched after LD_LIBRARY_PATH
	imports     []string // functions of the driver API that it links
	opens       []string // names of libcuda inside
	runtime     bool     // holds the CUDA runtime's own functions
	bindNow     bool
	elevated    bool // set-user-id or set-group-id
}

var (
	cudaName    = regexp.MustCompile(`[\w./+-]*libcuda\.so[.0-9]*`)
	runtimeMark = []byte("cudaGetDeviceCount")
)

// scriptOf returns the interpreter in a script's first line, or "" if the file is no script.
func scriptOf(f *os.File) string {
	line, _ := bufio.NewReader(io.LimitReader(f, 256)).ReadString('\n')
	if !strings.HasPrefix(line, "#!") {
		return ""
	}
	fields := strings.Fields(line[2:])
	if len(fields) == 0 {
		return ""
	}
	return fields[0]
}

// readProgram reads the ELF file at path.
func readProgram(path string) (*program, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := header(path, f)
	p.imports = imports(f)
	if info, err := os.Stat(path); err == nil {
		p.elevated = info.Mode()&(os.ModeSetuid|os.ModeSetgid) != 0
	}
	return p, p.scan(f)
}

// readHeader reads only the part of the ELF file at path that the loader reads.
func readHeader(path string) (*program, error) {
	f, err := elf.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return header(path, f), nil
}

func header(path string, f *elf.File) *program {
	p := &program{path: path, class: f.Class, machine: f.Machine}
	for _, s := range f.Progs {
		if s.Type == elf.PT_INTERP {
			name := make([]byte, min(s.Filesz, maxInterpreter))
			n, _ := s.ReadAt(name, 0)
			p.interpreter, _, _ = strings.Cut(string(name[:n]), "\x00")
		}
	}
	p.shared = f.Type == elf.ET_DYN && p.interpreter == "" && !pie(f)
	p.needed, _ = f.ImportedLibraries()
	if names, err := f.DynString(elf.DT_SONAME); err == nil && len(names) > 0 {
		p.soname = names[0]
	}
	p.rpath = paths(f, elf.DT_RPATH)
	p.runpath = paths(f, elf.DT_RUNPATH)
	if flags, err := f.DynValue(elf.DT_FLAGS); err == nil {
		for _, v := range flags {
			p.bindNow = p.bindNow || elf.DynFlag(v)&elf.DF_BIND_NOW != 0
		}
	}
	return p
}

// maxInterpreter bounds the path of a dynamic loader: no path is longer.
const maxInterpreter = 4096

// pie reports whether f is a program that the loader may put at any address.
func pie(f *elf.File) bool {
	flags, _ := f.DynValue(elf.DT_FLAGS_1)
	for _, v := range flags {
		if elf.DynFlag1(v)&elf.DF_1_PIE != 0 {
			return true
		}
	}
	return false
}

// SharedObject reports whether the file at path is a library or module, which no shell can start.
func SharedObject(path string) bool {
	p, err := readHeader(path)
	return err == nil && p.shared
}

// imports returns the driver functions that f imports, sorted.
func imports(f *elf.File) []string {
	var names []string
	symbols, _ := f.DynamicSymbols() // an error means that there are none
	for _, s := range symbols {
		if s.Section == elf.SHN_UNDEF && driverFunction(s.Name) {
			names = append(names, s.Name)
		}
	}
	slices.Sort(names)
	return names
}

// scan looks for names of libcuda, and for the CUDA runtime, in the file's data.
func (p *program) scan(f *elf.File) error {
	for _, s := range f.Sections {
		if s.Type != elf.SHT_PROGBITS || s.Flags&elf.SHF_ALLOC == 0 || s.Flags&elf.SHF_EXECINSTR != 0 {
			continue
		}
		data, err := s.Data()
		if err != nil {
			return fmt.Errorf("%s: section %s: %w", p.path, s.Name, err)
		}
		for _, name := range cudaName.FindAll(data, -1) {
			if !slices.Contains(p.opens, string(name)) {
				p.opens = append(p.opens, string(name))
			}
		}
		p.runtime = p.runtime || bytes.Contains(data, runtimeMark)
	}
	return nil
}

// driverFunction reports whether a symbol belongs to the driver API: cu and a capital. The
// toolkit's other libraries have a lower-case letter there.
func driverFunction(name string) bool {
	return len(name) > 2 && strings.HasPrefix(name, "cu") && 'A' <= name[2] && name[2] <= 'Z'
}

// paths returns the folders of a DT_RPATH or DT_RUNPATH entry.
func paths(f *elf.File, tag elf.DynTag) []string {
	var dirs []string
	entries, _ := f.DynString(tag)
	for _, e := range entries {
		dirs = append(dirs, folders(e, ":")...)
	}
	return dirs
}

// kind describes the file's class, machine and purpose.
func (p *program) kind() string {
	bits := map[elf.Class]string{elf.ELFCLASS32: "32-bit", elf.ELFCLASS64: "64-bit"}[p.class]
	what := "program"
	if p.shared {
		what = "shared object"
	}
	return fmt.Sprintf("%s %s %s", bits, machineName(p.machine), what)
}

func machineName(m elf.Machine) string {
	switch m {
	case elf.EM_X86_64:
		return "x86-64"
	case elf.EM_386:
		return "x86"
	case elf.EM_AARCH64:
		return "arm64"
	}
	return m.String()
}
