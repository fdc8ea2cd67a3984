package mem

// loadQuad reads a 128-bit element by one access: see whole.go.
//
//go:noescape
func loadQuad(p *[4]uint32) (low, high uint64)

// storeQuad writes a 128-bit element by one access: see whole.go.
//
//go:noescape
func storeQuad(p *[4]uint32, low, high uint64)
