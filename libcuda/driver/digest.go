package driver

import (
	"crypto/sha256"
	"encoding/hex"

	"jacquard/simt/mem"
)

// Digest says what one allocation of device memory holds.
type Digest struct {
	Address uint32 `json:"address"`
	Bytes   int    `json:"bytes"`
	SHA256  string `json:"sha256"` // the first digestBytes of it, in hex
}

// digestBytes are enough to tell contents apart; nobody forges them.
const digestBytes = 8

// digests returns what every allocation holds, in ascending order of address.
func digests(s *mem.Space) []Digest {
	var list []Digest
	for address, data := range s.All() {
		sum := sha256.Sum256(data)
		list = append(list, Digest{address, len(data), hex.EncodeToString(sum[:digestBytes])})
	}
	return list
}
