package count

// Operands counts the general registers that an instruction reads and writes, one of several words
// being one, for each warp of which a lane executes it; and those of them that are uniform or
// affine in all lanes that have not ended. Package tags counts them, on request.
type Operands struct {
	Reads, ReadsUniform, ReadsAffine    uint64
	Writes, WritesUniform, WritesAffine uint64
}

// Add adds o so many times.
func (s *Operands) Add(o *Operands, times uint64) {
	s.Reads += o.Reads * times
	s.ReadsUniform += o.ReadsUniform * times
	s.ReadsAffine += o.ReadsAffine * times
	s.Writes += o.Writes * times
	s.WritesUniform += o.WritesUniform * times
	s.WritesAffine += o.WritesAffine * times
}
