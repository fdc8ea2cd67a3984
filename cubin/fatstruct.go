package cubin

import (
	"encoding/binary"
	"regexp"
	"strconv"
)

// structFields are the types of the fields of the struct of CUDA 1.x .. 3.x, all versions: unsigned
// long, pointer, or 32 bits.
const structFields = "lllpppppppwpppwp"

// Fields of the struct, numbered from 0.
const (
	structVersion = 1
	structIdent   = 4
	structPTX     = 6
	structCubins  = 7
	structELF     = 15

	structFields1 = 9 // number of fields in the first version
	structFields4 = 16
	structELFFrom = 4 // first version with ELF cubins

	maxEntries = 64 // per kind; more than there are architectures
)

// structOffsets returns the offsets of the struct's fields, as the program's compiler lays them out.
func (m Memory) structOffsets() (offsets [len(structFields)]uint64) {
	sizes := map[rune]int{'l': m.long(), 'p': m.Word, 'w': 4}
	next := uint64(0)
	for i, kind := range structFields {
		size := uint64(sizes[kind])
		offsets[i] = (next + size - 1) &^ (size - 1)
		next = offsets[i] + size
	}
	return offsets
}

// openStruct reads the struct at address at of m. It reads no byte past the fields of its version:
// another object may follow.
func openStruct(m Memory, at uint64) (*Contents, error) {
	offsets := m.structOffsets()
	b, err := m.bytes("fat binary struct", at, offsets[structFields1-1]+uint64(m.Word))
	if err != nil {
		return nil, err
	}
	version := Memory{Word: m.long()}.word(b[offsets[structVersion]:])
	if version == 0 || version > 0xff {
		return nil, fatErrorf(at, "unknown version %d of the struct", version)
	}
	if version >= structELFFrom {
		if b, err = m.bytes("fat binary struct", at, offsets[structFields4-1]+uint64(m.Word)); err != nil {
			return nil, err
		}
	}
	field := func(i uint64) uint64 { return m.word(b[offsets[i]:]) }
	source := ""
	if ident := field(structIdent); ident != 0 {
		text, err := m.text("name of the source file", ident)
		if err != nil {
			return nil, err
		}
		source = string(text)
	}
	c := &Contents{Container: FatBinary}
	if err := m.pairs(c, PTX, field(structPTX), source); err != nil {
		return nil, err
	}
	if err := m.pairs(c, Text, field(structCubins), source); err != nil {
		return nil, err
	}
	if version >= structELFFrom {
		if err := m.elfList(c, field(structELF), source); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// pairs reads an array of pairs, profile name and text, that ends with a pair of nulls.
func (m Memory) pairs(c *Contents, kind Container, at uint64, source string) error {
	if at == 0 {
		return nil
	}
	for range maxEntries {
		b, err := m.bytes("list of a fat binary", at, uint64(2*m.Word))
		if err != nil {
			return err
		}
		profile, text := m.word(b), m.word(b[m.Word:])
		if profile == 0 && text == 0 {
			return nil
		}
		e := Entry{Container: kind, Source: source}
		if e.Arch, err = m.profile(profile); err != nil {
			return err
		}
		if e.stored, err = m.text(kind.String(), text); err != nil {
			return err
		}
		c.Entries = append(c.Entries, e)
		at += uint64(2 * m.Word)
	}
	return fatErrorf(at, "a list of more than %d images", maxEntries)
}

// elfList reads a list of records: profile name, data, next record and 32 bits of size. It ends
// with a null pointer or a record of zeros.
func (m Memory) elfList(c *Contents, at uint64, source string) error {
	for range maxEntries {
		if at == 0 {
			return nil
		}
		b, err := m.bytes("list of a fat binary", at, uint64(3*m.Word+4))
		if err != nil {
			return err
		}
		profile, data, next := m.word(b), m.word(b[m.Word:]), m.word(b[2*m.Word:])
		if profile == 0 && data == 0 {
			return nil
		}
		e := Entry{Container: ELF, Source: source}
		if e.Arch, err = m.profile(profile); err != nil {
			return err
		}
		size := binary.LittleEndian.Uint32(b[3*m.Word:])
		if e.stored, err = m.bytes("ELF cubin", data, uint64(size)); err != nil {
			return err
		}
		c.Entries = append(c.Entries, e)
		at = next
	}
	return fatErrorf(at, "a list of more than %d images", maxEntries)
}

// profile reads the name of an architecture, such as sm_13 or compute_10. It returns the number, 0
// if the name has none.
func (m Memory) profile(at uint64) (int, error) {
	name, err := m.text("name of an architecture", at)
	if err != nil {
		return 0, err
	}
	found := profileName.FindSubmatch(name)
	if found == nil {
		return 0, fatErrorf(at, "%.20q is no architecture", name)
	}
	return strconv.Atoi(string(found[1]))
}

var profileName = regexp.MustCompile(`^(?:sm|compute)_([0-9]{1,3})`)
