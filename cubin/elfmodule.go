package cubin

import (
	"encoding/binary"
	"strconv"
	"strings"

	"jacquard/tesla"
)

// Symbol types.
const (
	symbolObject  = 1
	symbolSection = 3
	symbolTexture = 10
)

// Section names. A section of a kernel adds a dot and the kernel's name.
const (
	sectionText        = ".text."
	sectionShared      = ".nv.shared."
	sectionLocal       = ".nv.local."
	sectionConstant    = ".nv.constant" // followed by the bank
	sectionConstant0   = ".nv.constant0"
	sectionAddresses   = ".nv.constant14"
	sectionGlobal      = ".nv.global"
	sectionGlobalInit  = ".nv.global.init"
	sectionInfo        = ".nv.info."
	sectionImages      = ".nv.images."
	sectionRelocations = ".rel" // followed by the name of a section
)

// elfModule turns an ELF file into an image.
type elfModule struct {
	*elfFile
	img      Image
	kernels  map[string]*Kernel
	globals  map[int]int // from symbols to img.Globals
	samplers map[int]int // from symbols to img.Samplers
	params   map[string]*elfParams
	words    int // of code, so far
	// lineFiles are the files of line tables, by the offsets of their units.
	lineFiles map[int64][]string
}

// parseELF reads an ELF cubin. The image refers to data: initial contents and names are parts of
// it.
func parseELF(data []byte) (*Image, error) {
	f, err := readELF(data)
	if err != nil {
		return nil, err
	}
	if f.machine != elfMachine {
		return nil, elfErrorf("", "machine %d is not that of cubins, %d", f.machine, elfMachine)
	}
	arch, err := tesla.ParseArch("sm_" + strconv.Itoa(f.arch()))
	if err != nil {
		return nil, elfErrorf("", "%v", err)
	}
	m := &elfModule{elfFile: f, img: Image{Arch: arch, Pointer: f.pointer(), Virtual: f.virtual()}, kernels: map[string]*Kernel{},
		globals: map[int]int{}, samplers: map[int]int{}, params: map[string]*elfParams{}}
	for _, pass := range []func() error{m.readVariables, m.readKernels, m.readSections, m.sortPointers, m.finishParams, m.readLines, m.readDebug} {
		if err := pass(); err != nil {
			return nil, err
		}
	}
	return &m.img, nil
}

// readVariables turns symbols into variables and texture references.
func (m *elfModule) readVariables() error {
	for i, y := range m.symbols {
		if y.kind == symbolTexture {
			m.samplers[i] = len(m.img.Samplers)
			m.img.Samplers = append(m.img.Samplers, Sampler{Name: y.name, Unit: -1})
		}
		if y.kind != symbolObject || y.section == 0 {
			continue
		}
		s := &m.sections[y.section]
		switch s.name {
		case sectionConstant0, sectionGlobal, sectionGlobalInit:
		default:
			continue // shared arrays and parameters, for debuggers
		}
		if !within(y.value, y.size, s.size) {
			return elfErrorf(s.name, "%s lies outside", y.name)
		}
		if y.size > maxGlobal {
			return elfErrorf(s.name, "%s has %d bytes", y.name, y.size)
		}
		var init []byte
		if s.data != nil {
			init = s.data[y.value : y.value+y.size : y.value+y.size]
		}
		if s.name == sectionConstant0 {
			m.img.Constants = append(m.img.Constants, Variable{y.name, int(y.value), int(y.size), init})
			continue
		}
		m.globals[i] = len(m.img.Globals)
		m.img.Globals = append(m.img.Globals, Global{Name: y.name, Bytes: int(y.size), Init: init})
	}
	return nil
}

// readKernels turns the sections with code into kernels, in the order of the file.
func (m *elfModule) readKernels() error {
	var names []string
	for i := range m.sections {
		s := &m.sections[i]
		name, ok := strings.CutPrefix(s.name, sectionText)
		if !ok {
			continue
		}
		k := Kernel{Name: name, Registers: int(s.info >> 24), Barriers: int(s.flags >> 20 & 0x7f)}
		switch {
		case name == "":
			return elfErrorf(s.name, "a kernel without a name")
		case m.params[name] != nil:
			return elfErrorf(s.name, "second kernel of the name")
		case len(s.data) == 0 || len(s.data)%4 != 0 || len(s.data)/4 > maxCode:
			return elfErrorf(s.name, "%d bytes of code", len(s.data))
		case k.Registers > maxRegisters:
			return elfErrorf(s.name, "%d registers, at most %d fit", k.Registers, maxRegisters)
		case k.Barriers > maxBarriers:
			return elfErrorf(s.name, "%d barriers, at most %d fit", k.Barriers, maxBarriers)
		}
		if m.words += len(s.data) / 4; m.words > len(m.data)/4 {
			return elfErrorf(s.name, "it overlaps another section")
		}
		k.Code = make([]uint32, len(s.data)/4)
		for j := range k.Code {
			k.Code[j] = binary.LittleEndian.Uint32(s.data[4*j:])
		}
		m.img.Kernels = append(m.img.Kernels, k)
		m.params[name] = &elfParams{}
		names = append(names, name)
	}
	for i, name := range names {
		m.kernels[name] = &m.img.Kernels[i]
	}
	return nil
}

// readSections reads the sections that hold no code.
func (m *elfModule) readSections() error {
	for i := range m.sections {
		s := &m.sections[i]
		var err error
		if s.kind == elfRel || s.kind == elfRela {
			err = m.relocations(s)
		} else if bank, ok := strings.CutPrefix(s.name, sectionConstant); ok {
			err = m.constants(s, bank)
		} else if kernel, ok := strings.CutPrefix(s.name, sectionShared); ok {
			err = m.size(s, kernel, tesla.SharedBytes, func(k *Kernel) *int { return &k.Shared })
		} else if kernel, ok := strings.CutPrefix(s.name, sectionLocal); ok {
			err = m.size(s, kernel, tesla.LocalBytes, func(k *Kernel) *int { return &k.Local })
		} else if kernel, ok := strings.CutPrefix(s.name, sectionInfo); ok {
			err = m.attributes(s, kernel)
		} else if kernel, ok := strings.CutPrefix(s.name, sectionImages); ok {
			err = m.images(s, kernel, s.data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// size stores the size of one of a kernel's sections, at most most bytes.
func (m *elfModule) size(s *elfSection, kernel string, most uint64, of func(*Kernel) *int) error {
	k := m.kernels[kernel]
	switch {
	case k == nil:
		return elfErrorf(s.name, "there is no such kernel")
	case s.size > most:
		return elfErrorf(s.name, "%d bytes, at most %d fit", s.size, most)
	}
	*of(k) = int(s.size)
	return nil
}

// constants reads a constant bank of the module, or of the kernel whose name follows the bank
// number.
func (m *elfModule) constants(s *elfSection, rest string) error {
	number, kernel, own := strings.Cut(rest, ".")
	bank, err := strconv.ParseUint(number, 10, 8)
	switch {
	case err != nil || bank > maxBank:
		return elfErrorf(s.name, "there is no such bank")
	case s.size > tesla.BankBytes:
		return elfErrorf(s.name, "%d bytes, a bank has %d", s.size, tesla.BankBytes)
	}
	segment := Segment{Bank: int(bank), Bytes: int(s.size), Init: s.data}
	if !own {
		m.img.Segments = append(m.img.Segments, segment)
		return nil
	}
	k := m.kernels[kernel]
	if k == nil {
		return elfErrorf(s.name, "there is no such kernel")
	}
	k.Segments = append(k.Segments, segment)
	return nil
}
