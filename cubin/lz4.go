package cubin

// lz4 decodes a raw LZ4 block of size bytes: sequences of a token (high nibble the literals, low
// nibble the match less 4), literals, a 16-bit distance and a match. A nibble of 15 is continued by
// bytes until one is not 255. The last sequence has literals only.
func lz4(in []byte, size int) ([]byte, error) {
	broken := func(problem string) ([]byte, error) { return nil, &CompressionError{LZ4, problem} }
	length := func(n int) (int, bool) {
		if n < 15 {
			return n, true
		}
		for len(in) > 0 {
			b := in[0]
			in = in[1:]
			if n += int(b); b < 255 {
				return n, true
			}
		}
		return 0, false
	}
	out := make([]byte, 0, size)
	for len(in) > 0 && len(out) < size {
		token := in[0]
		in = in[1:]
		literals, ok := length(int(token >> 4))
		if !ok || literals > len(in) {
			return broken("literals beyond the end")
		}
		if literals > size-len(out) {
			return broken("more than the bytes that were announced")
		}
		out = append(out, in[:literals]...)
		if in = in[literals:]; len(in) < 2 || len(out) == size {
			break
		}
		distance := int(in[0]) | int(in[1])<<8
		in = in[2:]
		match, ok := length(int(token & 15))
		match += 4
		switch {
		case !ok:
			return broken("match beyond the end")
		case distance == 0 || distance > len(out):
			return broken("match before the start")
		case match > size-len(out):
			return broken("more than the bytes that were announced")
		}
		for range match { // one at a time: a match may overlap its own copy
			out = append(out, out[len(out)-distance])
		}
	}
	if len(out) < size {
		return broken("fewer than the bytes that were announced")
	}
	return out, nil
}
