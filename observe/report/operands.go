package report

import "jacquard/simt"

// operands counts registers that instructions read or wrote, by tag. They are counted on request.
type operands struct {
	Name                 string
	All, Uniform, Affine uint64
}

// operandsOf sums up the operands of kernels; nil if they were not counted.
func operandsOf(kernels ...*Kernel) []operands {
	var sum simt.Operands
	for _, k := range kernels {
		for i := range k.Sum.ByInstruction {
			sum.Add(&k.Sum.ByInstruction[i].Operands, 1)
		}
	}
	if sum.Reads+sum.Writes == 0 {
		return nil
	}
	return []operands{
		{"read", sum.Reads, sum.ReadsUniform, sum.ReadsAffine},
		{"written", sum.Writes, sum.WritesUniform, sum.WritesAffine},
	}
}

// Operands sums up the operands of all kernels; nil if they were not counted.
func (r *Report) Operands() []operands { return operandsOf(r.Kernels...) }
