package bundle

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
)

// Version is the only version of the format that this package writes and reads.
const Version = 1

// magic starts every file. It contains line ends, which text-mode transfers would change.
const magic = "\x89JQB\r\n\x1a\n"

// Sniff reports whether a file that begins with data is a bundle.
func Sniff(data []byte) bool { return bytes.HasPrefix(data, []byte(magic)) }

const (
	fileHeaderSize = 16
	frameMark      = 0x4642514a // "JQBF"
	headerSize     = 24
)

// kind is the kind of a frame's payload.
type kind uint8

const (
	kindModule kind = iota + 1
	kindKernel
	kindObjects // that were made and freed before a launch
	kindInputs  // content of memory before a launch
	kindLaunch
	kindOutputs // content of memory after a launch
	kindEnd     // of a launch
	kindClose   // of the recording
)

// header stands before the payload of a frame; docs/bundle-format.md defines its fields.
type header struct {
	kind   kind
	number uint32 // of the launch; of a module or kernel frame its own
	stored uint32 // bytes of the payload in the file
	raw    uint32 // bytes after decompression
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// put writes the header to b, in front of the stored payload.
func (h *header) put(b []byte) {
	le := binary.LittleEndian
	le.PutUint32(b, frameMark)
	b[4], b[5], b[6], b[7] = uint8(h.kind), 0, 0, 0
	le.PutUint32(b[8:], h.number)
	le.PutUint32(b[12:], h.stored)
	le.PutUint32(b[16:], h.raw)
	le.PutUint32(b[20:], checksum(b, b[headerSize:]))
}

// get reads the header in b and returns its problem, or "". The caller checks the checksum.
func (h *header) get(b []byte) string {
	le := binary.LittleEndian
	if le.Uint32(b) != frameMark {
		return "no frame begins here"
	}
	*h = header{kind: kind(b[4]), number: le.Uint32(b[8:]), stored: le.Uint32(b[12:]), raw: le.Uint32(b[16:])}
	switch {
	case h.kind == 0 || h.kind > kindClose:
		return "a frame of an unknown kind"
	// zstd adds a little to data that it cannot compress.
	case h.raw > h.kind.most() || h.stored > h.raw+h.raw/64+64:
		return fmt.Sprintf("a frame of %d bytes that becomes %d: larger than any", h.stored, h.raw)
	}
	return ""
}

// checksum is the CRC-32C of a frame: of its header up to the checksum, and of its payload.
func checksum(header, stored []byte) uint32 {
	return crc32.Update(crc32.Checksum(header[:20], castagnoli), castagnoli, stored)
}

// description returns the payload for a description and data: a length, JSON, and the data.
func description(v any, data ...[]byte) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	if problem := checkDescription(text); problem != "" {
		return nil, errors.New(problem)
	}
	payload := append(binary.LittleEndian.AppendUint32(nil, uint32(len(text))), text...)
	for _, d := range data {
		payload = append(payload, d...)
	}
	return payload, nil
}

// describe reads the description of a payload into v and returns the data, or the problem, "" if
// none.
func describe(payload []byte, v any) (data []byte, problem string) {
	if len(payload) < 4 {
		return nil, "a description without a length"
	}
	n := binary.LittleEndian.Uint32(payload)
	if uint64(n) > uint64(len(payload)-4) {
		return nil, "a description longer than its frame"
	}
	if problem := checkDescription(payload[4 : 4+n]); problem != "" {
		return nil, problem
	}
	if err := json.Unmarshal(payload[4:4+n], v); err != nil {
		return nil, "a description that cannot be read: " + err.Error()
	}
	return payload[4+n:], ""
}

// The contents of descriptions, besides the exported types.
type (
	kernelFrame struct {
		Module int `json:"module"`
		*Kernel
	}
	objectFrame struct {
		Number  int    `json:"number"`
		Kind    Kind   `json:"kind"`
		Address uint32 `json:"address"`
		Bytes   int    `json:"bytes"`
		Slack   int    `json:"slack,omitzero"`
	}
	objectsFrame struct {
		Context uint64        `json:"context"`
		Freed   []int         `json:"freed,omitempty"`
		Made    []objectFrame `json:"made,omitempty"`
	}
	launchFrame struct {
		Kernel int `json:"kernel"`
		*Launch
		Objects []int `json:"objects"` // visible to the launch
	}
)

// Closing is the content of the last frame of a finished recording.
type Closing struct {
	Status int `json:"status"` // the program's exit status
	// Itself says that the program closed the recording at its end, so its status is not known.
	Itself bool `json:"itself,omitzero"`
}
