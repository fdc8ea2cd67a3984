package cubintest

import (
	"slices"

	"jacquard/cubin"
)

// ELF says how to write an ELF cubin. The zero value is the 32-bit form of CUDA 3.1 and later.
type ELF struct {
	Wide bool // class 2, as for 64-bit hosts
	// Old selects the layout of the first compilers: no sizes of parameters, texture units in a
	// section of their own.
	Old bool
}

// Write returns img as an ELF cubin. It panics if the format cannot hold img.
func (o ELF) Write(img *cubin.Image) []byte {
	form := *img
	form.Pointer = 4
	if o.Wide {
		form.Pointer = 8
	}
	if o.Old {
		form.Kernels = slices.Clone(img.Kernels)
		for i := range form.Kernels {
			k := &form.Kernels[i]
			k.Params = slices.Clone(k.Params)
			for j := range k.Params {
				k.Params[j].Padded = true
			}
		}
	}
	data, err := cubin.FormatELF(&form)
	if err != nil {
		panic("cubintest: " + err.Error())
	}
	if o.Old {
		data[8] = 0 // version of the ABI
	}
	return data
}
