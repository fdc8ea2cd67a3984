package cubin

import (
	"cmp"
	"encoding/binary"
	"slices"

	"jacquard/tesla"
)

// Attribute codes of .nv.info sections, with NVIDIA's names. Other codes are advice, or serve
// debuggers.
const (
	attributeImageSlot   = 0x02 // IMAGE_SLOT: symbol, texture unit
	attributeMaxThreads  = 0x05 // MAX_THREADS: x, y, z
	attributeParamPlaces = 0x0b // SMEM_PARAM_OFFSETS: one offset per parameter
	attributeParam       = 0x17 // KPARAM_INFO: one parameter
	attributeParamSize   = 0x18 // SMEM_PARAM_SIZE: all parameters
)

// elfParams holds the parameters of a kernel as its attributes describe them.
type elfParams struct {
	told    bool // the kernel has a section of attributes
	places  []int
	records []elfParam
	size    int // -1 if not recorded
}

type elfParam struct {
	ordinal int
	Param
}

// attributes reads the attributes of a kernel. A record is a format byte, a code byte and 16 bits:
// the value, or for format 4 the length of the payload that follows.
func (m *elfModule) attributes(s *elfSection, kernel string) error {
	k, params := m.kernels[kernel], m.params[kernel]
	if k == nil {
		return elfErrorf(s.name, "there is no such kernel")
	}
	params.told, params.size = true, -1
	le := binary.LittleEndian
	for b := s.data; len(b) >= 4; {
		format, code, value := b[0], b[1], int(le.Uint16(b[2:]))
		b = b[4:]
		var payload []byte
		if format == 4 {
			if value > len(b) {
				return elfErrorf(s.name, "attribute 0x%02x is cut off", code)
			}
			payload, b = b[:value], b[value:]
		}
		switch code {
		case attributeImageSlot:
			if err := m.images(s, kernel, payload); err != nil {
				return err
			}
		case attributeMaxThreads:
			for i := range k.MaxThreads {
				if len(payload) >= 4*i+4 {
					k.MaxThreads[i] = int(min(le.Uint32(payload[4*i:]), maxBound))
				}
			}
		case attributeParamPlaces:
			params.places = nil
			if len(payload)/4 > maxParams {
				return elfErrorf(s.name, "%d parameters, at most %d fit", len(payload)/4, maxParams)
			}
			for p := payload; len(p) >= 4; p = p[4:] {
				params.places = append(params.places, int(min(le.Uint32(p), maxParams)))
			}
		case attributeParam:
			if len(payload) < 12 {
				return elfErrorf(s.name, "attribute 0x%02x has %d bytes", code, len(payload))
			}
			params.records = append(params.records, elfParam{int(le.Uint16(payload[4:])),
				Param{Offset: int(le.Uint16(payload[6:])), Size: int(le.Uint32(payload[8:]) >> 18)}})
		case attributeParamSize:
			params.size = value
		}
	}
	return nil
}

// images reads pairs of a texture reference's symbol and its texture unit in a kernel.
func (m *elfModule) images(s *elfSection, kernel string, pairs []byte) error {
	k := m.kernels[kernel]
	if k == nil {
		return elfErrorf(s.name, "there is no such kernel")
	}
	for ; len(pairs) >= 8; pairs = pairs[8:] {
		symbol, unit := binary.LittleEndian.Uint32(pairs), binary.LittleEndian.Uint32(pairs[4:])
		sampler, ok := m.samplers[int(symbol)]
		switch {
		case !ok:
			return elfErrorf(s.name, "symbol %d is no texture reference", symbol)
		case unit > maxUnit:
			return elfErrorf(s.name, "texture unit %d, at most %d", unit, maxUnit)
		}
		k.Textures = append(k.Textures, Texture{Sampler: sampler, Unit: int(unit)})
	}
	return nil
}

// finishParams turns the attributes into parameters.
func (m *elfModule) finishParams() error {
	for i := range m.img.Kernels {
		k := &m.img.Kernels[i]
		p := m.params[k.Name]
		section := sectionInfo + k.Name
		switch {
		case len(p.records) > 0:
			slices.SortStableFunc(p.records, func(a, b elfParam) int { return cmp.Compare(a.ordinal, b.ordinal) })
			for i, r := range p.records {
				if r.ordinal != i {
					return elfErrorf(section, "parameter %d is missing or there twice", i)
				}
				k.Params = append(k.Params, r.Param)
			}
		case len(p.places) > 0:
			k.Params = p.gaps(k.Shared)
		case p.told && p.size <= 0:
			k.Params = []Param{} // empty, not nil: the parameters are known, and there are none
		}
		for i, param := range k.Params {
			if most := m.mostParams(); param.Offset+param.Size > most {
				return elfErrorf(section, "parameter %d ends at byte %d, there are %d", i, param.Offset+param.Size, most)
			}
		}
	}
	return nil
}

// mostParams returns how many bytes of parameters the kernels of the module have at most.
func (m *elfModule) mostParams() int {
	for _, v := range m.img.Constants {
		if v.Name == ParamVariable {
			return min(v.Bytes, maxParams)
		}
	}
	return SharedParams
}

// gaps derives parameters from offsets alone, as the first compilers record them. Each parameter
// extends to the next, and the last to the end of the parameter block.
//
// Unverified: where the size of the block is not recorded either, the kernel's shared memory bounds
// it. Too large a size is harmless on the device: the excess overlaps static arrays, which start
// undefined.
func (p *elfParams) gaps(shared int) []Param {
	end := p.size
	if end < 0 {
		end = min(shared-tesla.HeaderBytes, SharedParams)
	}
	var params []Param
	for _, offset := range p.places {
		next := end
		for _, other := range p.places {
			if other > offset {
				next = min(next, other)
			}
		}
		params = append(params, Param{Offset: offset, Size: max(next-offset, 0), Padded: true})
	}
	return params
}
