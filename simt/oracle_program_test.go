package simt_test

import (
	"compress/gzip"
	"encoding/csv"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"jacquard/decoder"
	"jacquard/tesla"
)

// oracleForms holds encodings of every form of a target, to start from.
type oracleForms struct {
	arch  tesla.Arch
	forms []tesla.Form
	words map[tesla.Form][][2]uint32
}

// oracleSkipped are the operations that the oracle leaves to others: control, which
// simt/branch tests, and textures, which simt/mem tests.
func oracleSkipped(in *tesla.Instruction) bool {
	switch in.Op {
	case tesla.OpRet: // ends some threads early
		return in.Guard.Cond == tesla.CondAlways
	case tesla.OpBra, tesla.OpBraIndirect, tesla.OpCall, tesla.OpPreRet, tesla.OpBreak, tesla.OpBreakAddr,
		tesla.OpJoinAt, tesla.OpQuadOn, tesla.OpQuadPop, tesla.OpTrap:
		return true
	case tesla.OpBar: // in a straight line, a full barrier is all that can be told apart
		return !in.Barrier.Inc || !in.Barrier.Wait || !in.Barrier.All && in.Barrier.Count != 0xfff
	}
	return in.Op >= tesla.OpTexAuto && in.Op <= tesla.OpTexSize
}

// readOracleForms takes the encodings from the decoder's vectors.
func readOracleForms(t testing.TB, arch tesla.Arch) *oracleForms {
	t.Helper()
	f := &oracleForms{arch: arch, words: map[tesla.Form][][2]uint32{}}
	file, err := os.Open("../decoder/testdata/decode-vectors.csv.gz")
	require.NoError(t, err)
	defer file.Close()
	unzip, err := gzip.NewReader(file)
	require.NoError(t, err)
	rows, err := csv.NewReader(unzip).ReadAll()
	require.NoError(t, err)
	for _, row := range rows[1:] {
		w0, err := strconv.ParseUint(row[0], 16, 32)
		require.NoError(t, err)
		w1, err := strconv.ParseUint("0"+row[1], 16, 32)
		require.NoError(t, err)
		in := decoder.Decode(arch, uint32(w0), uint32(w1))
		if in.Bad != tesla.OK || oracleSkipped(&in) {
			continue
		}
		if f.words[in.Form] == nil {
			f.forms = append(f.forms, in.Form)
		}
		f.words[in.Form] = append(f.words[in.Form], in.Raw)
	}
	return f
}

// The registers of a random kernel.
const (
	oracleData    = 16 // $r0 .. $r15 hold data
	oracleSlot    = 16 // address of the thread's own 64 bytes of global memory
	oraclePool    = 17 // address of 256 bytes that all threads of the block fight over
	oracleAligned = 18 // the same and a multiple of 16
	oracleAnyhow  = 19 // the same and anything
	oracleRecord  = 20 // address of the thread's record; never written
)

// candidate returns a random instruction of a random form. It may be anything that the
// target decodes: whether it can run is for the oracle to say.
func (f *oracleForms) candidate(r *rand.Rand) tesla.Instruction {
	for {
		form := f.forms[r.IntN(len(f.forms))]
		known := f.words[form]
		w := known[r.IntN(len(known))]
		m := r.Uint64()
		for range r.IntN(4) {
			m &= r.Uint64()
		}
		m &= r.Uint64()
		in := decoder.Decode(f.arch, w[0]^uint32(m), w[1]^uint32(m>>32))
		if in.Form != form || in.Bad != tesla.OK || oracleSkipped(&in) {
			continue
		}
		if in.Marker != tesla.MarkerNone || r.IntN(8) != 0 {
			f.tame(&in, r)
			w0, w1, err := decoder.Encode(f.arch, in)
			if err != nil {
				continue
			}
			in = decoder.Decode(f.arch, w0, w1)
		}
		if in.Marker == tesla.MarkerNone && !oracleSkipped(&in) {
			return in
		}
	}
}

// tame changes an instruction so that it is likely to run: registers that exist, memory
// that is there, a guard that may hold.
func (f *oracleForms) tame(in *tesla.Instruction, r *rand.Rand) {
	in.Marker = tesla.MarkerNone
	tied := in.Src[2].Kind == tesla.Reg && in.Src[2].Index == in.Dst.Index
	for _, o := range []*tesla.Operand{&in.Dst, &in.Src[0], &in.Src[1], &in.Src[2]} {
		n := r.IntN(oracleData)
		if r.IntN(10) == 0 {
			n = 21 + r.IntN(oracleRegisters-21) // the last few a kernel has, and beyond
		}
		switch o.Kind {
		case tesla.Reg:
			o.Index = uint8(n)
		case tesla.Half:
			o.Index = uint8(2*n + r.IntN(2))
		case tesla.Pair:
			o.Index = uint8(n &^ 1)
		case tesla.Quadruple:
			o.Index = uint8(n &^ 3)
		case tesla.Global:
			o.Value = uint32(oracleSlot + r.IntN(4))
			o.Index = 14
			if r.IntN(12) == 0 {
				o.Index, o.Value = 15, uint32(n)
			}
		case tesla.Shared, tesla.Const, tesla.Local:
			tameAddress(o, r)
		}
	}
	if tied && (in.Size == 4 || in.Src[1].Kind == tesla.Imm) {
		in.Src[2].Index = in.Dst.Index
	}
	switch {
	case in.Guard.Cond == tesla.CondAlways && in.Op != tesla.OpVote:
	case r.IntN(2) == 0:
		in.Guard.Cond = tesla.CondAlways
	case in.Guard.Cond == tesla.CondNever:
		in.Guard.Cond = tesla.Cond(1 + r.IntN(0x13))
	}
}

// tameAddress makes an address in range likely: $a1 leads to the thread's own shared
// memory, $a2 is small, $a3 leads to the pool, $a4 is just below 64 KiB.
func tameAddress(o *tesla.Operand, r *rand.Rand) {
	if o.Base > 4 {
		o.Base = uint8(r.IntN(5))
	}
	if o.Post {
		o.Value = uint32(int32(o.Value) % 16 / 4 * 4)
		return
	}
	if o.Kind == tesla.Const {
		o.Index = []uint8{0, 1, 2, 5, 14}[r.IntN(5)]
	}
	size := oracleSize(o.Type)
	switch {
	case r.IntN(4) == 0:
	case o.Base == 0 && o.Kind == tesla.Shared:
		o.Value %= oracleOwnShared
	case o.Base == 2 || o.Base == 0:
		o.Value %= 64
	default:
		o.Value %= 32
	}
	if r.IntN(8) != 0 {
		o.Value -= o.Value % max(size, 4)
	}
}
