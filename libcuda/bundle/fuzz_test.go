package bundle

import (
	"bytes"
	"io"
	"testing"
)

// begun returns a bundle with a launch that has not ended.
func begun(f *testing.F) []byte {
	var out bytes.Buffer
	r, err := NewRecorder(&out, Options{}, nil)
	if err != nil {
		f.Fatal(err)
	}
	k := &Kernel{Module: &Module{Image: []byte("image")}, Name: "k"}
	memory := []*Object{{Kind: Allocation, Address: 0x1000, Bytes: make([]byte, 100)}, {Kind: Array, Address: 7, Bytes: make([]byte, 8)}}
	r.Begin(&Launch{Kernel: k, Memory: memory}).End(memory, Outcome{Result: Success})
	memory[0].Bytes[99] = 1
	r.Begin(&Launch{Kernel: k, Memory: memory})
	return out.Bytes()
}

// FuzzReader reads bytes as they are, and as the payloads of frames whose checksums are right: a length of two bytes, the
// kind, the number of the launch, and the payload.
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
		bundle := bytes.Clone(start)
		for len(data) >= 4 {
			n := min(int(data[0])|int(data[1])<<8, len(data)-4)
			bundle = append(bundle, appendFrame(nil, z, header{kind: kind(data[2]), number: uint32(data[3])}, data[4:4+n])...)
			data = data[4+n:]
		}
		readAll(t, bundle)
	})
}

// readAll reads data to its end, or to what is wrong with it.
func readAll(t *testing.T, data []byte) {
	r, err := NewReader(bytes.NewReader(data))
	if err != nil {
		return
	}
	defer r.Close()
	r.MostMemory = 1 << 20
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
