package bundle

import (
	"bytes"
	"fmt"
	"slices"

	"jacquard/tesla"
)

// The recorder's limits of a bundle. Its Reader's MostMemory and package tesla add others.
const (
	mostImage       = 1 << 26 // bytes of the frame of a module
	mostPayload     = 1 << 24 // bytes of any other frame with a description
	mostRuns        = 1 << 22 // bytes of a frame of pages; recorders write less than 2^21 and 12
	mostElements    = 1 << 19 // elements of all lists and objects of a description
	mostBegun       = 1 << 12 // launches that run at the same time
	leastMostMemory = 96 << 20
)

// Approximate bytes that a reader holds for a described object, beside its content.
const (
	objectSize = 160
	launchSize = 512
	kernelSize = 512
)

// most returns the largest size of a frame of a kind after decompression.
func (k kind) most() uint32 {
	switch k {
	case kindModule:
		return mostImage
	case kindInputs, kindOutputs:
		return mostRuns
	}
	return mostPayload
}

// checkDescription returns the problem of a description's text, or "". It bounds the elements,
// because they take many times the memory of the text.
func checkDescription(text []byte) string {
	if n := bytes.Count(text, []byte{','}); n >= mostElements {
		return fmt.Sprintf("a description of more than %d elements", mostElements)
	}
	return ""
}

// check returns the problem of the kernel, or "".
func (k *Kernel) check() string {
	if len(k.Textures) > tesla.TextureUnits || len(k.Banks) > tesla.Banks {
		return fmt.Sprintf("%d texture units and %d banks: no kernel has them", len(k.Textures), len(k.Banks))
	}
	for i, b := range k.Banks {
		same := func(o Bank) bool { return o.Bank == b.Bank }
		if b.Bank < 0 || b.Bank >= tesla.Banks || b.Bytes < 0 || b.Bytes > tesla.BankBytes || slices.ContainsFunc(k.Banks[:i], same) {
			return fmt.Sprintf("an impossible bank %d of %d bytes", b.Bank, b.Bytes)
		}
	}
	return ""
}

// check returns the problem of the launch, or "".
func (l *Launch) check() string {
	if err := tesla.SM10.Limits().CheckShape(l.Grid, l.Block); err != nil { // of every target
		return err.Error()
	}
	switch {
	case l.Shared < 0 || l.Shared > tesla.SharedBytes || len(l.Params) > tesla.ParamBytes:
		return fmt.Sprintf("%d bytes of shared memory and %d of parameters: no device has them", l.Shared, len(l.Params))
	case len(l.Textures) > tesla.TextureUnits:
		return fmt.Sprintf("%d textures: no device has so many units", len(l.Textures))
	}
	for i := range l.Textures {
		if unit := l.Textures[i].Unit; unit < 0 || unit >= tesla.TextureUnits {
			return fmt.Sprintf("texture unit %d, which no device has", unit)
		}
	}
	return ""
}
