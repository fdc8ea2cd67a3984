package x86

import (
	"fmt"
	"strings"
)

// The texts of this file are Intel's syntax as LLVM reads it. They follow from the operation's
// name, the tuple of its row and the lists below, and share nothing else with the encoder.

// halfD are the operations whose destination has half the width, since elements become narrower.
var halfD = map[VOp]bool{
	VCVTPD2PS: true, VCVTPD2DQ: true, VCVTTPD2DQ: true, VCVTPD2UDQ: true, VCVTTPD2UDQ: true,
	VCVTQQ2PS: true, VCVTUQQ2PS: true, VPGATHERQD: true, VPSCATTERQD: true,
}

// halfIndex are the gathers whose indices are narrower than the data.
var halfIndex = map[VOp]bool{VPGATHERDQ: true, VPSCATTERDQ: true}

// wholeRM lists the operations whose memory is as large as the opmask says. It counts as one
// element in displacements and as a vector in texts.
var wholeRM = map[VOp]bool{VPCOMPRESSD: true, VPCOMPRESSQ: true, VPEXPANDD: true, VPEXPANDQ: true}

// vexNames are the names in AVX2 of operations that AVX-512 has one per element size.
var vexNames = map[VOp]string{
	VMOVDQU32: "vmovdqu", VMOVDQU64: "vmovdqu", VMOVDQA32: "vmovdqa", VMOVDQA64: "vmovdqa",
	VMOVDQU32Store: "vmovdqu", VMOVDQU64Store: "vmovdqu", VMOVDQA32Store: "vmovdqa",
	VMOVDQA64Store: "vmovdqa", VPANDD: "vpand", VPANDQ: "vpand", VPANDND: "vpandn",
	VPANDNQ: "vpandn", VPORD: "vpor", VPORQ: "vpor", VPXORD: "vpxor", VPXORQ: "vpxor",
	VBROADCASTF32X4: "vbroadcastf128", VBROADCASTI32X4: "vbroadcasti128",
	VINSERTF32X4: "vinsertf128", VINSERTI32X4: "vinserti128",
	VEXTRACTF32X4: "vextractf128", VEXTRACTI32X4: "vextracti128",
}

// sameNames lists the operations whose names here have a suffix that the processor's names lack.
var sameNames = map[VOp]string{
	VMOVDR: "vmovd", VMOVQR: "vmovq", VMOVQG: "vmovq", VPERMQi: "vpermq",
	VPBROADCASTBG: "vpbroadcastb", VPBROADCASTWG: "vpbroadcastw",
	VPBROADCASTDG: "vpbroadcastd", VPBROADCASTQG: "vpbroadcastq",
	KMOVBG: "kmovb", KMOVWG: "kmovw", KMOVDG: "kmovd", KMOVQG: "kmovq",
	KMOVBR: "kmovb", KMOVWR: "kmovw", KMOVDR: "kmovd", KMOVQR: "kmovq",
}

// mnemonic is LLVM's name of an operation, with the encoding if LLVM has a choice.
func mnemonic(r *row, evexed bool) string {
	if name := vexNames[r.op]; name != "" && !evexed {
		return name
	}
	name := sameNames[r.op]
	if name == "" {
		name = strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(r.name, "Store"), "i"))
	}
	if evexed && r.enc&vex != 0 {
		name = "{evex} " + name
	}
	return name
}

// wideR are the operations whose general register has 64 bits.
var wideR = map[VOp]bool{
	VMOVQG: true, VMOVQR: true, VPINSRQ: true, VPEXTRQ: true, VPBROADCASTQG: true, KMOVQG: true, KMOVQR: true,
}

var names64 = strings.Fields("rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15")
var names32 = strings.Fields(
	"eax ecx edx ebx esp ebp esi edi r8d r9d r10d r11d r12d r13d r14d r15d")
var names16 = strings.Fields("ax cx dx bx sp bp si di r8w r9w r10w r11w r12w r13w r14w r15w")
var names8 = strings.Fields("al cl dl bl spl bpl sil dil r8b r9b r10b r11b r12b r13b r14b r15b")

// vec is the name of a vector register of the given number of bytes; less than 16 bytes are in XMM.
func vec(n uint8, bytes int) string {
	switch {
	case bytes == 64:
		return fmt.Sprintf("zmm%d", n)
	case bytes == 32:
		return fmt.Sprintf("ymm%d", n)
	}
	return fmt.Sprintf("xmm%d", n)
}

// ptr is a size of memory in Intel's syntax.
var ptr = map[int]string{1: "byte", 2: "word", 4: "dword", 8: "qword", 16: "xmmword", 32: "ymmword", 64: "zmmword"}

// address is a memory operand in Intel's syntax; indexBytes is the width of a vector of indices.
func address(o Operand, indexBytes int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[%s", names64[o.reg])
	switch {
	case o.flags&hasIndex != 0:
		fmt.Fprintf(&b, " + %d*%s", 1<<o.scale, names64[o.index])
	case o.flags&hasVector != 0:
		fmt.Fprintf(&b, " + %d*%s", 1<<o.scale, vec(o.index, indexBytes))
	}
	switch {
	case o.val > 0:
		fmt.Fprintf(&b, " + %d", o.val)
	case o.val < 0:
		fmt.Fprintf(&b, " - %d", -o.val)
	}
	return b.String() + "]"
}

// text is the instruction in Intel's syntax.
func text(r *row, e encoded, i Ins) string {
	if r.form == nul {
		return mnemonic(r, e.evex)
	}
	if r.x&lig != 0 {
		e.l = X
	}
	full := 16 << e.l
	general := names32
	if wideR[r.op] {
		general = names64
	}
	dBytes := full
	if halfD[r.op] {
		dBytes = full / 2
	}
	d := vec(i.D, dBytes)
	rmBytes := 1 << r.mem.shift(e.l, false)
	if r.mem == noMem || wholeRM[r.op] {
		rmBytes = full
	}
	if r.form == mr && i.RM.kind != memory { // the memory is as large as the destination
		d, rmBytes = vec(i.D, rmBytes), full
	}
	switch {
	case r.x&dK != 0 && (e.evex || r.enc&evex == 0):
		d = fmt.Sprintf("k%d", i.D)
	case r.x&dR != 0 && i.RM.kind != memory:
		d = general[i.D]
	}
	s := vec(i.S, dBytes)
	if r.x&sK != 0 {
		s = fmt.Sprintf("k%d", i.S)
	}
	var rm string
	switch i.RM.kind {
	case vector:
		rm = vec(i.RM.reg, rmBytes)
	case mask:
		rm = fmt.Sprintf("k%d", i.RM.reg)
	case general0:
		rm = general[i.RM.reg]
	case memory:
		rm = memoryText(r, e, i.RM, full)
	}
	return mnemonic(r, e.evex) + " " + strings.Join(arrange(r, e, i, d, s, rm), ", ")
}

// general0 is the kind general, whose name text uses for a table.
const general0 = general

// memoryText is the operand RM with its size and broadcast.
func memoryText(r *row, e encoded, o Operand, full int) string {
	indexBytes := full
	if halfIndex[r.op] {
		indexBytes = full / 2
	}
	a := address(o, indexBytes)
	if r.form == gather {
		return a
	}
	bytes := 1 << r.mem.shift(e.l, o.flags&broadcast != 0)
	if wholeRM[r.op] {
		bytes = full
	}
	a = ptr[bytes] + " ptr " + a
	if o.flags&broadcast != 0 {
		elements := full / bytes
		if r.mem == half32 {
			elements /= 2
		}
		a += fmt.Sprintf("{1to%d}", elements)
	}
	return a
}

// arrange puts operands in the order of the form.
func arrange(r *row, e encoded, i Ins, d, s, rm string) []string {
	deco := ""
	if i.K != 0 {
		deco = fmt.Sprintf(" {k%d}", i.K)
	}
	if i.Zero {
		deco += " {z}"
	}
	var all []string
	stores := i.RM.kind == memory && (r.form == mr || r.form == st)
	switch {
	case r.form == gather && r.op >= VPSCATTERDD && r.op <= VPSCATTERQQ, stores:
		all = []string{rm + deco, d}
	case r.form == gather && !e.evex:
		all = []string{d, rm, s}
	case r.form == rvm:
		all = []string{d + deco, s, rm}
	case r.form == rvmr:
		all = []string{d, s, rm, vec(i.M, 16<<e.l)}
	case r.form == stv:
		all = []string{rm, s, d}
	case r.form == m:
		all = []string{rm}
	default:
		all = []string{d + deco, rm}
	}
	if i.Round != 0 {
		all = append(all, [...]string{RN: "{rn-sae}", RD: "{rd-sae}", RU: "{ru-sae}", RZ: "{rz-sae}", SAE: "{sae}"}[i.Round])
	}
	if r.x&imm8 != 0 {
		all = append(all, fmt.Sprint(i.Imm))
	}
	return all
}
