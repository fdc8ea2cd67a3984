package trace

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"

	"jacquard/simt/branch"
)

var press, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithEncoderLevel(zstd.SpeedFastest))

// SetHeld bounds the bytes of parts that wait for their turn.
func (f *File) SetHeld(bytes int) { f.held = bytes }

// Unpack takes a whole trace apart: for every frame its header, how many bytes of words and of
// other payload there are, and these, which are not compressed.
func Unpack(data []byte) (plain []byte) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	defer z.Close()
	for data = data[fileHeaderSize:]; len(data) > 0; {
		var h header
		h.get(data)
		raw, err := z.DecodeAll(data[headerSize+h.words:headerSize+h.stored], nil)
		if err != nil {
			panic(err)
		}
		plain = append(plain, data[:headerSize]...)
		plain = binary.LittleEndian.AppendUint32(plain, h.words)
		plain = binary.LittleEndian.AppendUint32(plain, uint32(len(raw)))
		plain = append(append(plain, data[headerSize:headerSize+h.words]...), raw...)
		data = data[headerSize+h.stored:]
	}
	return plain
}

// Pack makes a trace of what Unpack returned, however that was changed since: its sizes and
// checksums are right, and so is its index if there is to be one.
func Pack(plain []byte, indexed bool) []byte {
	r := &Recorder{zstd: press}
	data := append(make([]byte, 0, len(plain)), magic...)
	data = append(data, Version, 0, 0, 0, 0, 0, 0, 0)
	var index []byte
	add := func(h *header, words, raw []byte) {
		at := len(data)
		data = append(data, r.encode(h, raw, append(make([]byte, headerSize), words...))...)
		if h.kind != kindIndex && h.kind != kindTail {
			index = append(binary.LittleEndian.AppendUint64(index, uint64(at)), data[at:at+headerSize]...)
		}
	}
	for len(plain) >= headerSize+8 {
		le, b := binary.LittleEndian, plain
		h := header{
			kind: kind(b[4]), flags: b[5], launch: le.Uint32(b[20:]), block: le.Uint32(b[24:]), blocks: le.Uint32(b[56:]),
			warps: branch.WarpSet(le.Uint16(b[28:])), first: le.Uint64(b[32:]), count: le.Uint32(b[52:]),
		}
		words, raw := le.Uint32(b[headerSize:]), le.Uint32(b[headerSize+4:])
		plain = plain[headerSize+8:]
		n := min(int(words), len(plain))
		m := min(int(raw), len(plain)-n)
		if !indexed || h.kind != kindIndex && h.kind != kindTail {
			add(&h, plain[:n], plain[n:n+m])
		}
		plain = plain[n+m:]
	}
	if indexed {
		at := uint64(len(data))
		add(&header{kind: kindIndex}, nil, index)
		add(&header{kind: kindTail, first: at}, nil, nil)
	}
	return data
}
