package kerneltest

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
)

// MarshalJSON returns the content of a test.json that Parse reads as t, except its folder.
func (t *Test) MarshalJSON() ([]byte, error) {
	f := file{Name: t.Name, Source: t.Source, Note: t.Note, Block: t.Block[:], Grid: t.Grid[:],
		Shared: t.Shared, ParamBytes: t.ParamBytes, Params: []fileParam{}, Builds: map[string]fileBuild{}}
	for i := range t.Params {
		f.Params = append(f.Params, t.Params[i].file())
	}
	for _, b := range t.Builds {
		f.Builds[b.Arch.String()] = fileBuild{b.Chipset, b.File, b.Registers, b.Shared, b.Local, b.Barriers, b.Words, b.Instructions, b.SameCodeAs}
	}
	return json.Marshal(f)
}

// UnmarshalJSON is Parse.
func (t *Test) UnmarshalJSON(data []byte) error {
	parsed, err := Parse(data)
	if err == nil {
		*t = *parsed
	}
	return err
}

// file returns the entry of params.
func (p *Param) file() fileParam {
	f := fileParam{Name: p.Name, Kind: "value", Offset: p.Offset, Note: p.Note}
	if !p.Buffer {
		wide := binary.LittleEndian.Uint64(append(append([]byte{}, p.Value...), make([]byte, 8)...))
		digits := strconv.FormatUint(wide, 16)
		f.Size = len(p.Value)
		f.Value = "0x" + strings.Repeat("0", 2*f.Size-len(digits)) + digits
		return f
	}
	f.Kind, f.Words, f.Init = "buffer", len(p.Init)/4, hexWords(p.Init)
	switch p.Compare {
	case Unchanged:
		f.Expect = p.Compare.String()
		return f
	case Float32, Float64:
		f.RTol, f.ATol = &p.RTol, &p.ATol
	}
	f.Expect, f.Rule = hexWords(p.Expect), p.Compare.String()
	return f
}

// hexWords writes words in hex; one word, repeated to the end, stands once before three dots.
func hexWords(b []byte) string {
	var list []string
	for at := 0; at < len(b); at += 4 {
		list = append(list, hex.EncodeToString(binary.BigEndian.AppendUint32(nil, binary.LittleEndian.Uint32(b[at:]))))
	}
	n := len(list)
	for n > 1 && list[n-2] == list[n-1] {
		n--
	}
	if n == 1 && len(list) > 2 {
		return list[0] + " ..."
	}
	return strings.Join(list, " ")
}
