package report

// operands counts registers that instructions read or wrote, by tag. They are counted on request.
type operands struct {
	Name                 string
	All, Uniform, Affine uint64
}

// operands sums up the operands of k; nil if they were not counted.
func (k *Kernel) operands() []operands {
	reads, writes := operands{Name: "read"}, operands{Name: "written"}
	for i := range k.Sum.ByInstruction {
		o := &k.Sum.ByInstruction[i].Operands
		reads.add(o.Reads, o.ReadsUniform, o.ReadsAffine)
		writes.add(o.Writes, o.WritesUniform, o.WritesAffine)
	}
	if reads.All+writes.All == 0 {
		return nil
	}
	return []operands{reads, writes}
}

func (o *operands) add(all, uniform, affine uint64) {
	o.All += all
	o.Uniform += uniform
	o.Affine += affine
}

// Operands sums up the operands of all kernels; nil if they were not counted.
func (r *Report) Operands() []operands {
	var sum []operands
	for _, k := range r.Kernels {
		for i, o := range k.operands() {
			if len(sum) <= i {
				sum = append(sum, operands{Name: o.Name})
			}
			sum[i].add(o.All, o.Uniform, o.Affine)
		}
	}
	return sum
}
