package library

import (
	"maps"
	"slices"
	"strings"

	"jacquard/ptx"
)

// others are names of instructions without a modifier that another function implies. PTX before 1.4
// rounds to nearest where it has no choice, and divides f32 as div.full does.
var others = map[string]string{
	"cvt_f32_s64":     "cvt_rn_f32_s64",
	"cvt_f32_u64":     "cvt_rn_f32_u64",
	"cvt_s64_f32":     "cvt_rzi_s64_f32",
	"cvt_sat_s64_f32": "cvt_rzi_sat_s64_f32",
	"cvt_sat_u64_f32": "cvt_rzi_sat_u64_f32",
	"cvt_u64_f32":     "cvt_rzi_u64_f32",
	"div_f32":         "div_full_f32",
	"div_f64":         "div_rn_f64",
	"fma_f32":         "fma_rn_f32",
	"fma_f32_sm13":    "fma_rn_f32_sm13",
	"rcp_f64":         "rcp_rn_f64",
	"rsqrt_f64":       "rsqrt_approx_f64",
	"sqrt_f64":        "sqrt_rn_f64",
}

// addNames adds functions under their other names. mad with a rounding is fma. Atomic operations on
// shared memory, and by generic addresses, are those on global memory with other accesses.
func addNames(byName map[string]*definition) {
	for _, d := range slices.Collect(maps.Values(byName)) {
		if rest, ok := strings.CutPrefix(d.name, "fma_"); ok {
			byName["mad_"+rest] = d
		}
		if before, after, ok := strings.Cut(d.name, "_global_"); ok {
			byName[before+"__"+after] = &definition{unit: d.unit, of: d, space: ptx.Generic}
			byName[before+"_shared_"+after] = &definition{unit: d.unit, of: d, space: ptx.Shared}
		}
	}
	for name, other := range others {
		byName[name] = byName[other]
	}
}

// moved returns a function whose accesses of global memory are of another space.
func moved(f *ptx.Func, space ptx.Space) *ptx.Func {
	g := *f
	g.Body = slices.Clone(f.Body)
	for i, s := range g.Body {
		if in, ok := s.(*ptx.Instr); ok && in.Space == ptx.Global {
			other := *in
			other.Space = space
			g.Body[i] = &other
		}
	}
	return &g
}
