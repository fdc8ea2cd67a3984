package cubin

import "encoding/binary"

// Formats of attributes, and codes that only the writer needs.
const (
	attributeValue   = 3 // the value is in the record
	attributePayload = 4 // the value is the length of what follows

	attributeImageSize = 0x07 // IMAGE_SIZE: symbol, width, height, depth

	maxParamSize = 1<<14 - 1
)

// sized reports whether the sizes of all parameters are known. The other kernels are written as the
// first compilers did.
func (k *Kernel) sized() bool {
	for _, p := range k.Params {
		if p.Padded {
			return false
		}
	}
	return k.Params != nil
}

// images returns the texture units of a kernel: its own and the module's.
func (w *elfWriter) images(k *Kernel) []Texture {
	used := k.Textures
	for i, s := range w.img.Samplers {
		if s.Unit >= 0 {
			used = append(used[:len(used):len(used)], Texture{Sampler: i, Unit: s.Unit})
		}
	}
	return used
}

// attributes returns the attribute records of a kernel.
func (w *elfWriter) attributes(k *Kernel, used []Texture) []byte {
	var b []byte
	le := binary.LittleEndian
	if k.sized() {
		for _, t := range used {
			b = payload(b, attributeImageSlot, w.imageRecords([]Texture{t}))
		}
	}
	end := 0
	var places []byte
	for _, p := range k.Params {
		places = le.AppendUint32(places, uint32(p.Offset))
		end = max(end, p.Offset+p.Size)
	}
	if len(k.Params) > 0 {
		b = payload(b, attributeParamPlaces, places)
	}
	if k.sized() {
		b = le.AppendUint16(append(b, attributeValue, attributeParamSize), uint16(end))
		for i := len(k.Params) - 1; i >= 0; i-- { // compilers write the last parameter first
			b = payload(b, attributeParam, paramRecord(i, &k.Params[i]))
		}
	}
	if k.MaxThreads != [3]int{} {
		var bounds []byte
		for _, n := range k.MaxThreads {
			bounds = le.AppendUint32(bounds, uint32(n))
		}
		b = payload(b, attributeMaxThreads, bounds)
	}
	return b
}

// paramRecord returns the record of parameter i: an index without meaning, number and offset, and
// the size above bits that are the same in all files.
func paramRecord(i int, p *Param) []byte {
	const common = 0x3f000
	le := binary.LittleEndian
	b := le.AppendUint32(nil, 1<<32-1)
	b = le.AppendUint16(le.AppendUint16(b, uint16(i)), uint16(p.Offset))
	return le.AppendUint32(b, uint32(p.Size)<<18|common)
}

// payload appends a record with a payload.
func payload(b []byte, code byte, data []byte) []byte {
	b = append(b, attributePayload, code)
	return append(binary.LittleEndian.AppendUint16(b, uint16(len(data))), data...)
}

// imageRecords returns pairs of a texture reference's symbol and its unit.
func (w *elfWriter) imageRecords(used []Texture) (b []byte) {
	for _, t := range used {
		b = binary.LittleEndian.AppendUint32(b, uint32(w.number(w.ofSampler(t.Sampler))))
		b = binary.LittleEndian.AppendUint32(b, uint32(t.Unit))
	}
	return b
}

// textures writes the attributes of the module: texture references, of unknown size.
func (w *elfWriter) textures() {
	if len(w.img.Samplers) == 0 {
		return
	}
	w.add(outSection{name: ".nv.info", kind: elfProgbits, flags: elfAllocated, align: 1, fill: func() (b []byte) {
		const unknown = 1<<32 - 1
		for i := range w.img.Samplers {
			var record []byte
			for _, v := range []uint32{uint32(w.number(w.ofSampler(i))), unknown, unknown, unknown} {
				record = binary.LittleEndian.AppendUint32(record, v)
			}
			b = payload(b, attributeImageSize, record)
		}
		return b
	}})
}
