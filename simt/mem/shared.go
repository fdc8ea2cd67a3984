package mem

import (
	"hash/maphash"
	"jacquard/simt/lane"
	"jacquard/tesla"
)

// Shared is the shared memory of a block, with one lock bit per 32-bit word. The zero Shared has no
// bytes; Reset gives it some. Addresses start at 0. The caller does the 16-bit address arithmetic.
type Shared struct {
	bytes []byte
	locks []uint64
}

// Reset makes s size bytes of zeros with every lock free: header, parameters, static and dynamic
// memory together. Accesses beyond them are refused. Reset reuses the storage of an earlier block
// if it is large enough.
func (s *Shared) Reset(size int) {
	s.bytes = zeroed(s.bytes, size)
	s.locks = zeroed(s.locks, (size+255)/256)
}

// zeroed returns n zeros, in the storage of s if they fit.
func zeroed[T any](s []T, n int) []T {
	if n > cap(s) {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// Bytes returns the memory itself, valid until the next Reset.
func (s *Shared) Bytes() []byte { return s.bytes }

// Load reads an element of type t for each lane of m from that lane's address. It returns nil, or a
// violation, and then nothing was loaded.
func (s *Shared) Load(dst *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation {
	if m == 0 {
		return nil
	}
	sh := shapeOf(t)
	p, ok := survey(addr, m, 0, len(s.bytes), sh.size())
	if !ok {
		return beyond('s', len(s.bytes), addr, m, sh.size())
	}
	if c != nil {
		c.Shared.addShared(addr, m, sh.size(), p)
	}
	load(dst, s.bytes, 0, addr, m, sh, p)
	return nil
}

// Store writes an element of type t for each lane of m to that lane's address. It returns nil, or a
// violation, and then nothing was stored.
func (s *Shared) Store(src *Data, addr *lane.Row, m lane.Mask, t tesla.Type, c *Cost) *Violation {
	if m == 0 {
		return nil
	}
	sh := shapeOf(t)
	p, ok := survey(addr, m, 0, len(s.bytes), sh.size())
	if !ok {
		return beyond('s', len(s.bytes), addr, m, sh.size())
	}
	if c != nil {
		c.Shared.addShared(addr, m, sh.size(), p)
	}
	store(src, s.bytes, 0, addr, m, sh, p)
	return nil
}

// Word reads the word at offset, a multiple of 4. ok is false if there is no such word.
func (s *Shared) Word(offset uint32) (v uint32, ok bool) {
	if uint64(offset)+4 > uint64(len(s.bytes)) {
		return 0, false
	}
	return le.Uint32(s.bytes[offset:]), true
}

// LoadWord reads one element of up to 32 bits for all lanes. If ok is false the access is refused,
// and Load with the same address in every lane returns the violation.
func (s *Shared) LoadWord(offset uint32, t tesla.Type) (v uint32, ok bool) {
	sh := shapeOf(t)
	if sh == word && offset&3 == 0 && uint64(offset)+4 <= uint64(len(s.bytes)) {
		return le.Uint32(s.bytes[offset:]), true
	}
	if offset&(sh.size()-1) != 0 || uint64(offset)+uint64(sh.size()) > uint64(len(s.bytes)) {
		return 0, false
	}
	return element(s.bytes[offset:], sh), true
}

// LoadLock reads a word for each lane of m and tries to lock it, lanes in ascending order: a lane
// whose word is free locks it and is in won. The other lanes read the word too. On a violation
// nothing is read or locked.
//
// Unverified: a real lock may cover more than one word. That would change only how often a program
// retries.
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

// StoreUnlock writes a word for each lane of m, lanes in ascending order, and frees its lock, even
// one that another lane holds. On a violation nothing is written or freed.
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

// Fingerprint adds the content of the memory and the state of the locks to h.
func (s *Shared) Fingerprint(h *maphash.Hash) {
	h.Write(s.bytes)
	for _, l := range s.locks {
		maphash.WriteComparable(h, l)
	}
}
