package library

import (
	"maps"
	"slices"
	"strings"

	"jacquard/cubin/ptx"
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
func addNames(m *ptx.Module) {
	byName := map[string]*ptx.Func{}
	list := m.Items
	for _, item := range list {
		f, ok := item.(*ptx.Func)
		if !ok {
			continue
		}
		byName[f.Name] = f
		if rest, ok := strings.CutPrefix(f.Name, "fma_"); ok {
			m.Items = append(m.Items, renamed(f, "mad_"+rest))
		}
		if before, after, ok := strings.Cut(f.Name, "_global_"); ok {
			m.Items = append(m.Items, moved(f, before+"__"+after, ptx.Generic),
				moved(f, before+"_shared_"+after, ptx.Shared))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(others)) {
		m.Items = append(m.Items, renamed(byName[others[name]], name))
	}
}

// moved returns a function whose accesses of global memory are of another space.
func moved(f *ptx.Func, name string, space ptx.Space) *ptx.Func {
	g := renamed(f, name)
	g.Body = slices.Clone(f.Body)
	for i, s := range g.Body {
		if in, ok := s.(*ptx.Instr); ok && in.Space == ptx.Global {
			other := *in
			other.Space = space
			g.Body[i] = &other
		}
	}
	return g
}

// renamed returns a function with the same body.
func renamed(f *ptx.Func, name string) *ptx.Func {
	g := *f
	g.Name = name
	return &g
}
