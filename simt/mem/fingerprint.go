package mem

import "hash/maphash"

// Shared reports whether the host can write device memory while a kernel runs: whether
// any memory was given to Map.
func (s *Space) Shared() bool {
	for _, a := range s.live {
		if a.charge == 0 {
			return true
		}
	}
	return false
}

// Fingerprint returns a hash of all that the memory holds.
func (s *Space) Fingerprint(seed maphash.Seed) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for _, a := range s.live {
		h.Write(a.whole())
	}
	return h.Sum64()
}

// Fingerprint adds to h what the memory holds and which locks are taken.
func (s *Shared) Fingerprint(h *maphash.Hash) {
	h.Write(s.bytes)
	for _, l := range s.locks {
		maphash.WriteComparable(h, l)
	}
}
