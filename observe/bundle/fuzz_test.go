package bundle

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/klauspost/compress/zstd"

	"jacquard/internal/test/mutate"
)

// begun returns a bundle with a launch that has not ended.
func begun(f testing.TB) []byte {
	var out bytes.Buffer
	r, err := NewRecorder(&out, Options{}, nil)
	if err != nil {
		f.Fatal(err)
	}
	k := &Kernel{Module: &Module{Image: []byte("image")}, Name: "k"}
	memory := []*Object{{Kind: Allocation, Address: 0x1000, Bytes: make([]byte, 100)}, {Kind: Array, Address: 7, Bytes: make([]byte, 8)}}
	launch := Launch{Kernel: k, Grid: [2]int{1, 1}, Block: [3]int{1, 1, 1}, Memory: memory}
	r.Begin(&launch).End(memory, Outcome{Result: Success})
	memory[0].Bytes[99] = 1
	launch.Number = 1
	r.Begin(&launch)
	return out.Bytes()
}

// FuzzReader reads bytes both as they are and as payloads of frames with right checksums: a length
// of two bytes, the kind, the number of the launch, and the payload.
func FuzzReader(f *testing.F) {
	start := begun(f)
	z, err := newEncoder()
	if err != nil {
		f.Fatal(err)
	}
	framed := func(kind kind, number byte, payload []byte) []byte {
		return append([]byte{byte(len(payload)), byte(len(payload) >> 8), byte(kind), number}, payload...)
	}
	describedAs := func(kind kind, number byte, text, data string) []byte {
		return framed(kind, number, append([]byte{byte(len(text)), 0, 0, 0}, text+data...))
	}
	f.Add(start)
	f.Add(unpacked(f, start))
	f.Add(describedAs(kindModule, 1, `{"architecture":"sm_13","variables":[{"name":"v","address":4096,"bytes":4}]}`, "image"))
	f.Add(describedAs(kindKernel, 1, `{"module":0,"name":"f","banks":[{"bank":1,"bytes":3},{"bank":0,"address":4096,"bytes":4}]}`, "abc"))
	f.Add(describedAs(kindObjects, 2, `{"context":0,"freed":[0],"made":[{"number":5,"kind":"host","address":65536,"bytes":16}]}`, ""))
	f.Add(describedAs(kindObjects, 2, `{"context":0,"made":[{"number":5,"kind":"allocation","address":65536,"bytes":4096,"slack":4000}]}`, ""))
	f.Add(describedAs(kindLaunch, 2, `{"kernel":0,"context":0,"params":"00ff","grid":[1,1],"block":[1,1,1],"objects":[0,1]}`, ""))
	f.Add(framed(kindInputs, 2, appendRun(nil, 0, 96, []byte{1, 2, 3, 4})))
	f.Add(append(framed(kindOutputs, 1, appendRun(nil, 0, 0, []byte{1})), describedAs(kindEnd, 1, `{"result":"CUDA_SUCCESS"}`, "")...))
	f.Add(describedAs(kindClose, 0, `{"status":1}`, ""))
	f.Fuzz(func(t *testing.T, data []byte) {
		readAll(t, data)
		readAll(t, packed(z, data))
		bundle := bytes.Clone(start)
		for len(data) >= 4 {
			n := min(int(data[0])|int(data[1])<<8, len(data)-4)
			bundle = append(bundle, appendFrame(nil, z, header{kind: kind(data[2]), number: uint32(data[3])}, data[4:4+n])...)
			data = data[4+n:]
		}
		readAll(t, bundle)
	})
}

// readAll reads data to its end, or to the first error.
func readAll(t *testing.T, data []byte) { readMost(t, data, 1<<20) }

func readMost(t *testing.T, data []byte, memory int64) {
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		return
	}
	defer r.Close()
	r.MostMemory = memory
	for {
		l, err := r.Next()
		switch err.(type) {
		case nil:
		case *FormatError, *CutError:
			return
		default:
			if err != io.EOF {
				t.Fatal(err)
			}
			return
		}
		_ = l.String()
		for _, o := range l.Memory {
			_ = o.String()
		}
		for _, out := range l.Outputs {
			if out.Offset+len(out.Bytes) > len(out.Object.Bytes) {
				t.Fatal("an output beyond its object")
			}
		}
	}
}

// unpacked takes a bundle apart: for every frame its kind, its number, the size of its payload, and
// the payload without compression.
func unpacked(t testing.TB, data []byte) (plain []byte) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for data = data[fileHeaderSize:]; len(data) > 0; {
		var h header
		h.get(data)
		payload, err := z.DecodeAll(data[headerSize:headerSize+h.stored], nil)
		if err != nil {
			t.Fatal(err)
		}
		plain = append(plain, byte(h.kind))
		plain = binary.LittleEndian.AppendUint32(plain, h.number)
		plain = binary.LittleEndian.AppendUint32(plain, uint32(len(payload)))
		plain = append(plain, payload...)
		data = data[headerSize+h.stored:]
	}
	return plain
}

// packed makes a bundle of what unpacked returned, even if changed since: sizes and checksums are
// right.
func packed(z *zstd.Encoder, plain []byte) []byte {
	data := append([]byte(magic), Version, 0, 0, 0, 0, 0, 0, 0)
	for len(plain) >= 9 {
		h := header{kind: kind(plain[0]), number: binary.LittleEndian.Uint32(plain[1:])}
		n := int(min(uint64(binary.LittleEndian.Uint32(plain[5:])), uint64(len(plain)-9)))
		data = append(data, appendFrame(nil, z, h, plain[9:9+n])...)
		plain = plain[9+n:]
	}
	return data
}

// The reader takes little memory, whatever the bundle says.
func TestMutations(t *testing.T) {
	z, err := newEncoder()
	if err != nil {
		t.Fatal(err)
	}
	seed := unpacked(t, begun(t))
	change := func(r *rand.Rand, plain []byte) []byte {
		switch r.IntN(3) {
		case 0:
			plain = redescribe(r, plain)
		case 1:
			plain = mutate.Bytes(r, redescribe(r, plain))
		default:
			plain = mutate.Bytes(r, plain)
		}
		return packed(z, plain)
	}
	mutate.Run(t, "FuzzReader", [][]byte{seed}, change, func(data []byte) {
		readMost(t, data, leastMostMemory)
	})
}

// redescribe changes the description of a frame and keeps the lengths around it right.
func redescribe(r *rand.Rand, plain []byte) []byte {
	var frames [][]byte
	for rest := plain; len(rest) > 0; {
		n := 9 + binary.LittleEndian.Uint32(rest[5:])
		frames = append(frames, rest[:n])
		rest = rest[n:]
	}
	for range 1 + r.IntN(3) {
		i := r.IntN(len(frames))
		f := frames[i]
		if k := kind(f[0]); k == kindInputs || k == kindOutputs {
			continue
		}
		n := 13 + binary.LittleEndian.Uint32(f[9:])
		text := mutate.JSON(r, f[13:n])
		payload := append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
		payload = append(payload, f[n:]...)
		frames[i] = append(binary.LittleEndian.AppendUint32(bytes.Clone(f[:5]), uint32(len(payload))), payload...)
	}
	return bytes.Join(frames, nil)
}
