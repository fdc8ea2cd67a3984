package driver

// symbol is an exported function: its name in programs, and the release it appeared in.
type symbol struct {
	name  string
	since int
}

// SymbolStatus is the result of a search for a symbol, in the numbers of
// CUdriverProcAddressQueryResult.
type SymbolStatus int

const (
	SymbolFound SymbolStatus = iota
	SymbolNotFound
	SymbolTooNew // the function is newer than the caller's release
)

// The flags of GetProcAddress ask for one kind of stream 0: 1 for the null stream that all threads
// share, 2 for one of the thread's own, 0 for whichever the library prefers.
const maxProcAddressFlags = 2

// GetProcAddress finds the function called name, without a variant's suffix, for a program written
// for release version (1000*major + 10*minor): the newest variant of that release. It returns the
// function's place in the table of symbols. If there is none, the status says whether a newer
// release has one, and the error is ErrNotFound. It works before Init.
//
// Work is complete when a call returns, in any stream, so the same functions serve both kinds of
// stream 0.
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
