package trace

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"

	"jacquard/observe/trace/codec"
	"jacquard/simt/branch"
)

var compressor, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithEncoderLevel(zstd.SpeedFastest))

// SetHeld bounds the bytes of parts that wait for their turn.
func (f *File) SetHeld(bytes int) { f.mostHeld = bytes }

// Unpack takes a trace apart. Each frame becomes its header, the byte counts of words and of other
// payload, and these bytes, uncompressed.
func Unpack(data []byte) (plain []byte) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	defer z.Close()
	for data = data[codec.FileHeaderSize:]; len(data) > 0; {
		var h codec.Header
		h.Parse(data)
		raw, err := z.DecodeAll(data[codec.HeaderSize+h.Words:codec.HeaderSize+h.Stored], nil)
		if err != nil {
			panic(err)
		}
		plain = append(plain, data[:codec.HeaderSize]...)
		plain = binary.LittleEndian.AppendUint32(plain, h.Words)
		plain = binary.LittleEndian.AppendUint32(plain, uint32(len(raw)))
		plain = append(append(plain, data[codec.HeaderSize:codec.HeaderSize+h.Words]...), raw...)
		data = data[codec.HeaderSize+h.Stored:]
	}
	return plain
}

// Pack makes a trace of the output of Unpack, even if that was changed. Sizes and checksums are
// right, and so is the index, if indexed.
func Pack(plain []byte, indexed bool) []byte {
	data := codec.FileHeader(false)
	var index []byte
	add := func(h *codec.Header, words, raw []byte) {
		at := len(data)
		data = append(data, h.Frame(compressor, raw, append(make([]byte, codec.HeaderSize), words...))...)
		if h.Kind < codec.IndexFrame {
			index = append(binary.LittleEndian.AppendUint64(index, uint64(at)), data[at:at+codec.HeaderSize]...)
		}
	}
	for len(plain) >= codec.HeaderSize+8 {
		le, b := binary.LittleEndian, plain
		h := codec.Header{
			Kind: codec.Kind(b[4]), Flags: b[5], Launch: le.Uint32(b[20:]),
			Block: le.Uint32(b[24:]), Blocks: le.Uint32(b[56:]), Warps: branch.WarpSet(le.Uint16(b[28:])),
			First: le.Uint64(b[32:]), Count: le.Uint32(b[52:]),
		}
		words, raw := le.Uint32(b[codec.HeaderSize:]), le.Uint32(b[codec.HeaderSize+4:])
		plain = plain[codec.HeaderSize+8:]
		n := min(int(words), len(plain))
		m := min(int(raw), len(plain)-n)
		if !indexed || h.Kind < codec.IndexFrame {
			add(&h, plain[:n], plain[n:n+m])
		}
		plain = plain[n+m:]
	}
	if indexed {
		at := uint64(len(data))
		add(&codec.Header{Kind: codec.IndexFrame}, nil, index)
		add(&codec.Header{Kind: codec.TailFrame, First: at}, nil, nil)
	}
	return data
}
