package ptxas

import "regexp"

// demote turns operations of double precision into single precision, as NVIDIA's compilers did for
// devices without double precision: their PTX for sm_10 to sm_12 said map_f64_to_f32, and clang
// writes PTX for later devices. It returns false if the text needs no change.
func demote(text []byte) ([]byte, bool) {
	at := target.FindIndex(text)
	if at == nil || !double.Match(text) {
		return text, false
	}
	const mapped = ", map_f64_to_f32"
	return append(append(append([]byte(nil), text[:at[1]]...), mapped...), text[at[1]:]...), true
}

var (
	// target finds the directive of clang, which has a later device and no options.
	target = regexp.MustCompile(`(?m)^\s*\.target\s+sm_[2-9][0-9]\b`)
	double = regexp.MustCompile(`\.f64\b`)
)
