package cli

import (
	"fmt"
	"strings"

	"jacquard/cubin"
	"jacquard/ptx"
)

// paramInfo is a parameter of a kernel. A cubin records neither name nor type.
type paramInfo struct {
	Name   string `json:"name,omitempty"`
	Type   string `json:"type,omitempty"`
	Offset int    `json:"offset"` // in the block of parameters
	Bytes  int    `json:"bytes"`
}

// describeParams lists the parameters of a kernel; declared lists the parameters in PTX, if the
// kernel was compiled from PTX.
func describeParams(k *cubin.Kernel, declared []*ptx.Var) (list []paramInfo) {
	for i, p := range k.Params {
		info := paramInfo{Offset: p.Offset, Bytes: p.Size}
		if i < len(declared) {
			info.Name, info.Type = declared[i].Name, typeOf(declared[i])
		}
		list = append(list, info)
	}
	return list
}

// typeOf returns the type of a variable: u32, b8[16].
func typeOf(v *ptx.Var) string {
	t := v.Type.String()
	if v.Vector > 1 {
		t = fmt.Sprintf("v%d.%s", v.Vector, t)
	}
	for _, n := range v.Dims {
		t += fmt.Sprintf("[%d]", n)
	}
	return t
}

// paramList describes parameters in a line.
func paramList(params []paramInfo) string {
	texts := make([]string, len(params))
	for i, p := range params {
		if p.Type != "" {
			texts[i] = fmt.Sprintf("%s %s at 0x%x", p.Type, p.Name, p.Offset)
		} else {
			texts[i] = fmt.Sprintf("%d bytes at 0x%x", p.Bytes, p.Offset)
		}
	}
	return strings.Join(texts, ", ")
}

// declaredParams returns the parameters that the PTX of an image declares, by kernel.
func (i *carriedImage) declaredParams() map[string][]*ptx.Var {
	if i.ptx == nil {
		return nil
	}
	text, err := i.ptx.Data()
	if err != nil {
		return nil
	}
	m, err := ptx.Parse("", text)
	if err != nil {
		return nil // it was compiled before
	}
	declared := map[string][]*ptx.Var{}
	for _, k := range entryPoints(m) {
		declared[k.Name] = k.Params
	}
	return declared
}
