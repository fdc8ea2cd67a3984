package cubin_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/cubin"
	"jacquard/internal/test/cubintest"
	"jacquard/tesla"
)

// A truncated ELF cubin is an error also inside a complete container, such as a compressed one.
func TestELFCutOffInContainer(t *testing.T) {
	for name, class := range classes {
		if class.Old {
			continue // the same headers
		}
		for _, how := range []cubin.Compression{cubin.Zlib, cubin.LZ4} {
			t.Run(fmt.Sprint(name, "/", how), func(t *testing.T) {
				data := class.Write(everything())
				for n := len(data); n >= 0; n -= 3 {
					memory := &cubintest.Memory{Word: 8}
					e := cubintest.Entry{Container: cubin.ELF, Arch: 12, Compression: how, Data: data[:n]}
					contents, err := cubin.Open(memory.Cubin(), memory.Add(cubintest.Flat(cubintest.CUDA5, e)))
					require.NoError(t, err)
					img, err := contents.Image(tesla.SM12)
					if n == len(data) {
						require.NoError(t, err)
						continue
					}
					require.Error(t, err, "%d bytes of %d", n, len(data))
					require.Nil(t, img)
				}
			})
		}
	}
}

// Any field of a file may hold any number, in particular one that is just too large.
func TestELFWrongNumbers(t *testing.T) {
	for name, class := range classes {
		if class.Old {
			continue // the same headers
		}
		t.Run(name, func(t *testing.T) {
			whole := class.Write(everything())
			h := elfCounts(whole, class.Wide)
			for _, v := range []int{0, h.sections - 1, h.sections, h.sections + 1, h.symbols - 1, h.symbols, h.symbols + 1, len(whole) - 1, len(whole), len(whole) + 1, 0x7fffffff, 0xffffffff} {
				for at := 4; at+4 <= len(whole); at += 2 {
					for _, width := range []int{2, 4} {
						data := bytes.Clone(whole)
						copy(data[at:at+width], binary.LittleEndian.AppendUint32(nil, uint32(v)))
						img, err := cubin.Parse(data)
						if err != nil {
							require.Nil(t, img)
							continue
						}
						for i := range img.Kernels {
							for _, unit := range img.Units(&img.Kernels[i]) {
								require.Less(t, unit, len(img.Samplers))
							}
						}
					}
				}
			}
		})
	}
}

type counts struct{ sections, symbols, table int }

// elfCounts returns the numbers of sections and symbols of a file, and the offset of its section
// headers.
func elfCounts(data []byte, wide bool) counts {
	le := binary.LittleEndian
	if wide {
		c := counts{sections: int(le.Uint16(data[60:])), table: int(le.Uint64(data[40:]))}
		c.symbols = int(le.Uint64(data[c.section(symbolTable, wide)+32:])) / 24
		return c
	}
	c := counts{sections: int(le.Uint16(data[48:])), table: int(le.Uint32(data[32:]))}
	c.symbols = int(le.Uint32(data[c.section(symbolTable, wide)+20:])) / 16
	return c
}

// Numbers of sections that every file has.
const sectionNames, symbolTable = 1, 3

// section returns the offset of a section's header.
func (c *counts) section(i int, wide bool) int {
	if wide {
		return c.table + 64*i
	}
	return c.table + 40*i
}

// A number that is one too large is an error, with an exact message.
func TestELFOneTooMany(t *testing.T) {
	le := binary.LittleEndian
	for name, class := range classes {
		whole := class.Write(everything())
		c := elfCounts(whole, class.Wide)
		symbols := c.section(symbolTable, class.Wide)
		pick := func(narrow, wide int) int {
			if class.Wide {
				return wide
			}
			return narrow
		}
		size := func(data []byte, header int) int { return int(le.Uint32(data[header+pick(20, 32):])) }
		for _, x := range []struct {
			name string
			do   func(data []byte)
			want string // "" if allowed
		}{
			{"section of the symbol names", func(d []byte) { le.PutUint32(d[symbols+pick(24, 40):], uint32(c.sections)) }, fmt.Sprintf("section .symtab: no section %d for its names", c.sections)},
			{"name of a section", func(d []byte) {
				le.PutUint32(d[c.section(1, class.Wide):], uint32(size(d, c.section(sectionNames, class.Wide))+1))
			}, "the name of section 1 is outside its table"},
			{"name of a section at the end", func(d []byte) {
				le.PutUint32(d[c.section(1, class.Wide):], uint32(size(d, c.section(sectionNames, class.Wide))))
			}, ""},
			{"section size", func(d []byte) {
				at := c.section(c.sections-1, class.Wide)
				le.PutUint32(d[at+pick(20, 32):], uint32(len(d))-le.Uint32(d[at+pick(16, 24):])+1)
			}, fmt.Sprintf("section %d ends behind the file", c.sections-1)},
			{"section up to the end", func(d []byte) {
				at := c.section(c.sections-1, class.Wide)
				le.PutUint32(d[at+pick(20, 32):], uint32(len(d))-le.Uint32(d[at+pick(16, 24):]))
			}, ""},
			{"section headers", func(d []byte) { le.PutUint16(d[pick(48, 60):], uint16(0xff00)) }, "the file at"},
		} {
			t.Run(name+"/"+x.name, func(t *testing.T) {
				data := bytes.Clone(whole)
				x.do(data)
				// within a container, where the file is not measured first
				memory := &cubintest.Memory{Word: 8}
				contents, err := cubin.Open(memory.Cubin(), memory.Add(cubintest.Flat(cubintest.CUDA5, cubintest.Entry{Container: cubin.ELF, Arch: 12, Data: data, Compression: cubin.Zlib})))
				require.NoError(t, err)
				img, err := contents.Image(tesla.SM12)
				if x.want == "" {
					require.NoError(t, err)
					return
				}
				require.Nil(t, img)
				require.ErrorContains(t, err, x.want)
			})
		}
	}
}

// A symbol of a missing section is no variable.
func TestELFSymbolWithoutSection(t *testing.T) {
	for name, class := range classes {
		t.Run(name, func(t *testing.T) {
			img := everything()
			for i := range img.Globals {
				img.Globals[i].Slots = nil
			}
			img.Segments = img.Segments[:1]
			data := class.Write(img)
			c := elfCounts(data, class.Wide)
			le := binary.LittleEndian
			header := c.section(symbolTable, class.Wide)
			table, step, info, at := int(le.Uint32(data[header+16:])), 16, 12, 14
			if class.Wide {
				table, step, info, at = int(le.Uint64(data[header+24:])), 24, 4, 6
			}
			for i := range c.symbols {
				if y := data[table+step*i:]; y[info] == 0x11 { // a global object
					le.PutUint16(y[at:], uint16(c.sections))
				}
			}
			got, err := cubin.Parse(data)
			require.NoError(t, err)
			require.Empty(t, got.Globals)
			require.Empty(t, got.Constants)
			require.Len(t, got.Kernels, len(img.Kernels))
		})
	}
}

// Parameters are numbered without gaps, each once.
func TestELFParameterNumbers(t *testing.T) {
	for name, class := range classes {
		if class.Old {
			continue // no parameter numbers
		}
		whole := class.Write(everything())
		record := func(i byte) []byte { return []byte{4, 0x17, 12, 0, 0xff, 0xff, 0xff, 0xff, i, 0} }
		for _, x := range []struct {
			name     string
			from, to byte
			want     string
		}{
			{"gap", 3, 4, "parameter 3 is missing or there twice"},
			{"first missing", 0, 4, "parameter 0 is missing or there twice"},
			{"twice", 2, 1, "parameter 2 is missing or there twice"},
		} {
			t.Run(name+"/"+x.name, func(t *testing.T) {
				img, err := cubin.Parse(replace(whole, string(record(x.from)), string(record(x.to))))
				require.Nil(t, img)
				require.ErrorContains(t, err, x.want)
			})
		}
	}
}

// Numbers at the limit are allowed.
func TestELFLimitsAreAllowed(t *testing.T) {
	for name, class := range classes {
		t.Run(name, func(t *testing.T) {
			img := everything()
			k := &img.Kernels[0]
			k.Name = strings.Repeat("k", 4096-1-len(".nv.constant15."))
			k.Registers, k.Barriers, k.Shared, k.Local = 128, 16, 16384, 16384
			k.MaxThreads = [3]int{1 << 16, 1, 1}
			k.Textures[0].Unit = 127
			k.Segments = []cubin.Segment{{Bank: 15, Bytes: 65536, Init: make([]byte, 65536)}}
			k.Params[3] = cubin.Param{Offset: 240, Size: 16}
			want := *k
			if class.Old { // gaps, up to the limit
				want.Params = []cubin.Param{{Offset: 0, Size: 8, Padded: true}, {Offset: 8, Size: 2, Padded: true}, {Offset: 10, Size: 230, Padded: true}, {Offset: 240, Size: 16, Padded: true}}
			}
			got, err := cubin.Parse(class.Write(img))
			require.NoError(t, err)
			require.Equal(t, want, got.Kernels[0])
		})
	}
}
