package debuginfo

// Windows of spaces in generic addresses. They lie above all device memory.
const (
	WindowShared = 0xfd000000
	WindowLocal  = 0xfe000000
	WindowConst  = 0xff000000
	WindowSize   = 1 << 24
)

// InSpace returns the place in its space of a generic address.
func InSpace(address uint64) Place {
	for _, w := range []struct {
		at    uint64
		space Space
	}{{WindowShared, Shared}, {WindowLocal, Local}, {WindowConst, Const}} {
		if address-w.at < WindowSize {
			return Place{Space: w.space, Offset: address - w.at}
		}
	}
	return Place{Space: Global, Offset: address}
}
