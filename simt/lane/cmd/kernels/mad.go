package main

// multiplyAdd is the easy part of FMad. Multiplication towards zero cuts the product as the
// machine does, as long as it is a normal number, and the sum is rounded once. With a zero
// addend the product is rounded to nearest instead. Left to the portable kernel are warps
// with a lane whose product the host cannot hold: too large, or so small that it becomes a
// zero although the addend is small enough for it to matter. The result tells which, bit i
// for s.Warp[i]; their rows are not written.
func multiplyAdd() kernel {
	return kernel{
		name: "FMadEasy", part: true, params: rowParams(3), result: "uint32", frame: floatFrame,
		build: func(f *function) {
			f.end = f.leaveFloat
			f.ins("MOVL", 0, f.arg("ret"))
			f.ins("MOVL", uint32(floatControl)|uint32(towardZero), "zeroControl-12(SP)")
			f.enterFloat(nearest)
			m := &mad{function: f, fix: f.canonical()}
			m.magnitude, m.inf, m.most = f.constant(1<<31-1), f.constant(inf32), f.constant(inf32-1)
			m.least = f.constant(least32)
			if f.level == avx512 {
				m.small = f.constant(smallAddend - least32)
			} else {
				m.small = f.constant(smallAddend)
				f.constant(0)
			}
			f.warps(rowNames(3), m.row)
			f.leave()
		},
	}
}

const (
	least32 = 1 << 23
	// A product below 2^-126 is less than a quarter of the last place of addends from here on.
	smallAddend = (127 - 101) << 23
)

type mad struct {
	*function
	fix                                func(x vec) vec
	magnitude, inf, most, least, small vec
}

func (m *mad) row(r *row) {
	vectors := m.level.vectors()
	var products []vec
	if m.level == avx2 {
		m.ins("LDMXCSR", "zeroControl-12(SP)")
	}
	for j := range vectors {
		a, b := r.load(1, j), r.load(2, j)
		if m.level == avx512 {
			p := m.op("VMULPS.RZ_SAE", a, b)
			tiny := m.tiny(r.load(3, j))
			m.ins("VMULPS", b, a, tiny, p)
			products = append(products, p)
			m.freeMask(tiny)
		} else {
			m.ins("VMULPS", b, a, a)
			products = append(products, a)
		}
		m.free(b)
	}
	if m.level == avx2 {
		m.ins("LDMXCSR", "newControl-4(SP)")
	}
	hard := m.mask()
	for j := range vectors {
		p := products[j]
		c := r.load(3, j)
		if m.level == avx2 {
			a, b := r.load(1, j), r.load(2, j)
			m.ins("VMULPS", b, a, a)
			tiny := m.tiny(c)
			m.ins("VPBLENDVB", vec(tiny), a, p, p)
			m.free(a, b)
			m.freeMask(tiny)
		}
		m.difficult(r, j, p, c, hard)
		m.ins("VADDPS", c, p, p)
		m.free(c)
		products[j] = m.inPlace(m.fix, p)
	}
	if m.level == avx512 {
		m.ins("KORTESTW", hard, hard)
	} else {
		m.ins("VPTEST", hard, hard)
	}
	easy := "easy"
	if r.masked {
		easy = "easyMasked"
	}
	m.ins("JEQ", easy)
	m.ins("MOVL", 1, "AX")
	m.ins("SHLXL", "BX", "AX", "AX")
	m.ins("ORL", "AX", m.arg("ret"))
	m.ins("JMP", r.skip())
	m.label(easy)
	m.freeMask(hard)
	for j, v := range products {
		m.scope(func() { r.store(j, v) })
	}
}

// inPlace runs a step whose result may lie elsewhere and gives back its operand if so.
func (f *function) inPlace(step func(x vec) vec, x vec) vec {
	var y vec
	vectors, masks := f.vectors, f.masks
	y = step(x)
	f.vectors, f.masks = vectors, masks
	f.vectors[x] = false
	f.vectors[y] = true
	return y
}

// tiny tells the lanes that are zeros, or denormals.
func (m *mad) tiny(c vec) mask {
	t := m.mask()
	if m.level == avx512 {
		m.ins("VPTESTNMD", m.inf, c, t)
		return t
	}
	m.ins("VPAND", m.inf, c, t)
	m.ins("VPCMPEQD", m.constant(0), t, t)
	return t
}

// difficult adds the difficult lanes of vector j to hard, or begins it if j is 0.
func (m *mad) difficult(r *row, j int, p, c vec, hard mask) {
	m.scope(func() {
		size, addend := m.and(p, m.magnitude), m.and(c, m.magnitude)
		lanes := m.equal(size, m.most)
		if m.level == avx512 {
			lost := m.mask()
			m.ins("VPTESTNMD", size, size, lost)
			m.ins("VPSUBD", m.least, addend, addend)
			m.ins("VPCMPUD", 1, m.small, addend, lost, lost)
			m.ins("KORW", lost, lanes, lanes)
			if r.masked {
				m.ins("KANDW", r.masks[j], lanes, lanes)
			}
			if j == 0 {
				m.ins("KMOVW", lanes, hard)
			} else {
				m.ins("KORW", lanes, hard, hard)
			}
			return
		}
		lost := m.equal(size, m.constant(0))
		m.ins("VPCMPGTD", addend, m.small, vec(size)) // addend < small
		m.ins("VPAND", size, lost, lost)
		m.ins("VPCMPGTD", addend, m.least, vec(size)) // not flushed: addend >= least
		m.ins("VPANDN", lost, size, lost)
		m.ins("VPOR", lost, lanes, lanes)
		m.free(size, addend)
		m.freeMask(lost)
		if r.masked {
			own := m.expand(byteAt("SI", selMask, j))
			m.ins("VPAND", own, lanes, lanes)
		}
		if j == 0 {
			m.ins("VMOVDQA", lanes, hard)
		} else {
			m.ins("VPOR", lanes, hard, hard)
		}
	})
}
