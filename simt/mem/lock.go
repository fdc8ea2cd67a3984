package mem

import "jacquard/simt/lane"

// LoadLock reads a word for each lane of m and tries to lock it, lanes in ascending
// order: a lane whose word is free locks it and is in won. Losers read the word too.
// On a violation nothing is read or locked.
//
// Unverified: real locks may cover more than one word, which would change only how
// often a program retries.
func (s *Shared) LoadLock(dst, addr *lane.Row, m lane.Mask, c *Cost) (won lane.Mask, v *Violation) {
	if v := beyond('s', len(s.bytes), addr, m, word.size()); v != nil {
		return 0, v
	}
	if c != nil && m != 0 {
		c.Shared.addShared(addr, m, word.size(), scattered)
	}
	for ; m != 0; m &= m - 1 {
		i := first(m)
		a := addr[i]
		lock, bit := &s.locks[a/256], uint64(1)<<(a/4%64)
		if *lock&bit == 0 {
			*lock |= bit
			won |= 1 << i
		}
		dst[i] = le.Uint32(s.bytes[a:])
	}
	return won, nil
}

// StoreUnlock writes a word for each lane of m, lanes in ascending order, and frees
// its lock, whoever holds it. On a violation nothing is written or freed.
func (s *Shared) StoreUnlock(src, addr *lane.Row, m lane.Mask, c *Cost) *Violation {
	if v := beyond('s', len(s.bytes), addr, m, word.size()); v != nil {
		return v
	}
	if c != nil && m != 0 {
		c.Shared.addShared(addr, m, word.size(), scattered)
	}
	for ; m != 0; m &= m - 1 {
		i := first(m)
		a := addr[i]
		le.PutUint32(s.bytes[a:], src[i])
		s.locks[a/256] &^= 1 << (a / 4 % 64)
	}
	return nil
}
