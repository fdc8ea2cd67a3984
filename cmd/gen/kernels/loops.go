package main

import "fmt"

// The fields of lane.Sel; a test of package lane compares them with the compiler's.
const (
	selN    = 0
	selFull = 8
	selWarp = 9
	selMask = 28
)

// The general registers of a function: SI the selection, CX its number of warps, BX the position in
// it, AX the warp. DI is the row of the destination, and R8, R9, R10 those of the sources. While
// warps follow each other without gaps, R11, R12, R13 and DX are the steps; otherwise they are
// free, or hold more rows.
var (
	rowRegisters  = []string{"DI", "R8", "R9", "R10", "R11", "R12", "R13", "DX"}
	stepRegisters = rowRegisters[4:]
)

// row is one warp of a loop.
type row struct {
	*function
	names  []string // of the Rows parameters: destination, sources
	masked bool
	masks  []mask // AVX-512: of the row's vectors, where masked
}

// at returns the memory of vector j of the row of Rows parameter i.
func (r *row) at(i, j int) string {
	return fmt.Sprintf("%d(%s)", j*4*r.lanes(), rowRegisters[i])
}

// load reads vector j of source i, counted from 1; 0 is the destination.
func (r *row) load(i, j int) vec {
	v := r.vec()
	r.ins(r.move(), r.at(i, j), v)
	return v
}

// move is the instruction that loads and stores vectors.
func (f *function) move() string {
	if f.level == avx512 {
		return "VMOVDQU32"
	}
	return "VMOVDQU"
}

// store writes vector j of the destination, in the lanes of the mask.
func (r *row) store(j int, v vec) { r.storeTo(0, j, v) }

// storeTo is store for Rows parameter i.
func (r *row) storeTo(i, j int, v vec) {
	if r.masked {
		// The whole vector is written: a later load finds it in the store buffer.
		old := r.load(i, j)
		if r.level == avx512 {
			r.ins("VMOVDQA32", v, r.masks[j], old)
		} else {
			lanes := r.expand(byteAt("SI", selMask, j))
			r.ins("VPBLENDVB", vec(lanes), v, old, old)
			r.freeMask(lanes)
		}
		v = old
	}
	r.ins(r.move(), v, r.at(i, j))
}

// byteAt is byte j of word BX of an array.
func byteAt(register string, offset, j int) string {
	return fmt.Sprintf("%d(%s)(BX*4)", offset+j, register)
}

// expand returns the mask of the byte at an address. AVX2 only.
func (f *function) expand(byteAt string) mask {
	f.data.laneBits = true
	bits, m := f.vec(), f.mask()
	f.ins("VMOVDQU", "laneBits<>(SB)", bits)
	f.ins("VPBROADCASTB", byteAt, vec(m))
	f.ins("VPAND", bits, vec(m), vec(m))
	f.ins("VPCMPEQD", bits, vec(m), vec(m))
	f.free(bits)
	return m
}

// warps runs the body for every warp of the selection. A full selection of warps without gaps steps
// from row to row; any other multiplies warps by steps, and stores under masks.
func (f *function) warps(names []string, body func(r *row)) {
	f.begin()
	f.unlessFull("masked")
	f.fullLoop(names, body)
	f.ins("JMP", f.target("done"))
	f.label("masked")
	f.maskedLoop(names, body)
	f.label("done")
}

// unlessFull jumps if the selection is not full, or has a gap. Otherwise AX is its first warp.
func (f *function) unlessFull(label string) {
	f.ins("CMPB", fmt.Sprintf("%d(SI)", selFull), 0)
	f.ins("JEQ", f.target(label))
	f.ins("MOVBLZX", fmt.Sprintf("%d(SI)", selWarp), "AX")
	f.ins("MOVBLZX", fmt.Sprintf("%d(SI)(CX*1)", selWarp-1), "DX")
	f.ins("SUBL", "AX", "DX")
	f.ins("INCL", "DX")
	f.ins("CMPL", "DX", "CX")
	f.ins("JNE", f.target(label))
}

// fullLoop is the loop that steps from row to row, starting at warp AX.
func (f *function) fullLoop(names []string, body func(r *row)) {
	f.rows(names)
	for i, name := range names {
		f.ins("MOVQ", f.arg(name+"_step"), stepRegisters[i])
	}
	f.label("full")
	f.scope(func() { body(&row{function: f, names: names}) })
	for i := range names {
		f.ins("ADDQ", stepRegisters[i], rowRegisters[i])
	}
	f.ins("INCL", "BX")
	f.ins("CMPL", "BX", "CX")
	f.ins("JNE", f.target("full"))
}

// begin starts a loop over the warps of the selection, which may be empty.
func (f *function) begin() {
	f.looping = true
	f.ins("MOVQ", f.arg("s"), "SI")
	f.ins("MOVQ", fmt.Sprintf("%d(SI)", selN), "CX")
	f.ins("XORL", "BX", "BX")
	f.ins("TESTQ", "CX", "CX")
	f.ins("JEQ", f.target("done"))
}

// maskedLoop is the loop for any selection. The label "masked" stands before it.
func (f *function) maskedLoop(names []string, body func(r *row)) {
	f.ins("MOVBLZX", fmt.Sprintf("%d(SI)(BX*1)", selWarp), "AX")
	f.rows(names)
	f.scope(func() {
		r := &row{function: f, names: names, masked: true}
		if f.level == avx512 {
			r.masks = f.rowMasks(rowMask)
		}
		body(r)
	})
	f.ins("INCL", "BX")
	f.ins("CMPL", "BX", "CX")
	f.ins("JNE", f.target("masked"))
}

// each runs the body for every warp of the selection: the loop of kernels that store no rows.
func (f *function) each(names []string, body func(r *row)) {
	f.begin()
	f.label("warp")
	f.ins("MOVBLZX", fmt.Sprintf("%d(SI)(BX*1)", selWarp), "AX")
	f.rows(names)
	f.scope(func() { body(&row{function: f, names: names}) })
	f.ins("INCL", "BX")
	f.ins("CMPL", "BX", "CX")
	f.ins("JNE", f.target("warp"))
	f.label("done")
}

// everyWarp is warps without the loop for full selections.
func (f *function) everyWarp(names []string, body func(r *row)) {
	f.begin()
	f.label("masked")
	f.maskedLoop(names, body)
	f.label("done")
}

// rowMask is the mask of the row in memory.
var rowMask = fmt.Sprintf("%d(SI)(BX*4)", selMask)

// rows points the row registers to warp AX.
func (f *function) rows(names []string) {
	for i, name := range names {
		f.ins("MOVQ", f.arg(name+"_step"), rowRegisters[i])
		f.ins("IMULQ", "AX", rowRegisters[i])
		f.ins("ADDQ", f.arg(name+"_first"), rowRegisters[i])
	}
}

var sourceNames = []string{"a", "b", "c"}

// rowwise makes a kernel that computes vectors of its destination from the same vectors of its n
// sources. setup takes constants and returns the body.
func rowwise(name string, n int, setup func(f *function) func(x []vec) vec) kernel {
	return kernel{name: name, params: rowParams(n), build: func(f *function) {
		body := setup(f)
		f.warps(rowNames(n), func(r *row) {
			for j := range f.level.vectors() {
				f.scope(func() {
					x := make([]vec, n)
					for i := range x {
						x[i] = r.load(1+i, j)
					}
					r.store(j, body(x))
				})
			}
		})
	}}
}

func rowNames(n int) []string { return append([]string{"d"}, sourceNames[:n]...) }

func rowParams(n int) []param {
	var list []param
	for _, name := range rowNames(n) {
		list = append(list, rowsParam(name))
	}
	return append(list, selParam)
}
