package clang

import (
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"hash/fnv"
	"math/bits"
)

var hashes = []kernel{
	{name: "crc32", in: 4, out: 1, host: each(crc)},
	{name: "crc32ByTable", in: 4, out: 1, host: each(crc)},
	{name: "fnv", in: 4, out: 3, host: each(func(_ uint32, x, y []uint32) {
		narrow, wide := fnv.New32a(), fnv.New64a()
		narrow.Write(message(x))
		wide.Write(message(x))
		y[0] = narrow.Sum32()
		put64(y[1:], wide.Sum64())
	})},
	{name: "adler", in: 4, out: 1, host: each(func(_ uint32, x, y []uint32) {
		y[0] = adler32.Checksum(message(x))
	})},
	{name: "mixed", in: 4, out: 1, host: mixed},
	{name: "keyed", in: 4, out: 2, host: keyed},
	{name: "generators", in: 1, out: 6, host: each(generators)},
}

// message is words as bytes.
func message(words []uint32) (b []byte) {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func crc(_ uint32, x, y []uint32) { y[0] = crc32.ChecksumIEEE(message(x)) }

func mixed(in, out []uint32, n int) {
	for i := range n {
		h := uint32(n)
		for _, w := range in[4*i : 4*i+4] {
			h ^= bits.RotateLeft32(w*0xcc9e2d51, 15) * 0x1b873593
			h = bits.RotateLeft32(h, 13)*5 + 0xe6546b64
		}
		h ^= 16
		h = (h ^ h>>16) * 0x85ebca6b
		h = (h ^ h>>13) * 0xc2b2ae35
		out[i] = h ^ h>>16
	}
}

// sipRound is a round of four sums.
func sipRound(v *[4]uint64) {
	v[0] += v[1]
	v[2] += v[3]
	v[1] = bits.RotateLeft64(v[1], 13) ^ v[0]
	v[3] = bits.RotateLeft64(v[3], 16) ^ v[2]
	v[0] = bits.RotateLeft64(v[0], 32) + v[3]
	v[2] += v[1]
	v[3] = bits.RotateLeft64(v[3], 21) ^ v[0]
	v[1] = bits.RotateLeft64(v[1], 17) ^ v[2]
	v[2] = bits.RotateLeft64(v[2], 32)
}

func keyed(in, out []uint32, n int) {
	key := 0x0706050403020100 + uint64(n)
	for i := range n {
		v := [4]uint64{key ^ 0x736f6d6570736575, ^key, key * 3, key >> 7}
		for k := range 2 {
			w := get64(in[4*i+2*k:])
			v[3] ^= w
			sipRound(&v)
			sipRound(&v)
			v[0] ^= w
		}
		v[2] ^= 0xff
		for range 4 {
			sipRound(&v)
		}
		put64(out[2*i:], v[0]^v[1]^v[2]^v[3])
	}
}

func generators(_ uint32, x, y []uint32) {
	shift, lcg, weyl, split := x[0]|1, x[0], uint32(0), uint64(x[0])
	lagged := [4]uint32{1, x[0], 3, x[0] >> 5}
	for k := range 8 {
		shift ^= shift << 13
		shift ^= shift >> 17
		shift ^= shift << 5
		lcg = lcg*1664525 + 1013904223
		weyl = (weyl + 0x9e3779b9) * 0x2545f491
		lagged[k%4] += lagged[(k+1)%4] ^ lagged[(k+2)%4]
		split += 0x9e3779b97f4a7c15
		split = (split ^ split>>30) * 0xbf58476d1ce4e5b9
	}
	y[0], y[1], y[2] = shift, lcg, weyl
	y[3] = lagged[0] ^ lagged[1] ^ lagged[2] ^ lagged[3]
	put64(y[4:], split)
}
