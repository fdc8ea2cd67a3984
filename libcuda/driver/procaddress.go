package driver

// symbol is an exported function: what programs call it, and the release it appeared in.
type symbol struct {
	name  string
	since int
}

// SymbolStatus says how a search for a symbol ended, in the numbers of
// CUdriverProcAddressQueryResult.
type SymbolStatus int

const (
	SymbolFound SymbolStatus = iota
	SymbolNotFound
	SymbolTooNew // than the release that the caller was written for
)

// The flags of GetProcAddress ask for one kind of stream 0: 1 for the null stream that all threads
// share, 2 for one of the thread's own, 0 for whichever the library prefers.
const maxProcAddressFlags = 2

// GetProcAddress finds the function that a program written for release version (1000*major +
// 10*minor) means by name, which is without the suffix of a variant: the newest variant that this
// release had. It returns the place of the function in the table of symbols. When there is none the
// status says whether a newer release has one, and the error is ErrNotFound. It works before Init.
//
// Work is complete when a call returns, whatever its stream, so both kinds of stream 0 are served
// by the same functions.
func (t *Thread) GetProcAddress(name string, version int, flags uint64) (int, SymbolStatus, error) {
	if version <= 0 || flags > maxProcAddressFlags {
		return 0, SymbolNotFound, ErrInvalidValue
	}
	best, status := -1, SymbolNotFound
	for i, s := range symbols {
		switch {
		case s.name != name:
		case s.since > version:
			if best < 0 {
				status = SymbolTooNew
			}
		case best < 0 || s.since > symbols[best].since:
			best, status = i, SymbolFound
		}
	}
	if best < 0 {
		// Unverified: that both reasons answer this code.
		return 0, status, ErrNotFound
	}
	return best, status, nil
}
