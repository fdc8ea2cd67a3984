package nvcc

import (
	"fmt"
	"regexp"
	"slices"

	"jacquard/toolkit/options"
)

// The architectures that nvcc knows: the list of CUDA 10.0, the older ones that this device has,
// and later ones. A later one means the latest of 10.0, as nothing that it adds would run on the
// device.
var known = []int{10, 11, 12, 13, 20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75,
	80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121}

// whole are names that stand for the architectures of this machine, or for all of them.
var whole = []string{"native", "all", "all-major"}

// The numbers of architectures that matter.
const (
	latestTesla = 13 // what machine code is made for where no sm_1x is asked for
	firstLater  = 20 // the first that the device does not have, and the first of clang
	latest      = 75 // of CUDA 10.0
)

// target is one compilation of the device half.
type target struct {
	virtual int   // what __CUDA_ARCH__ says: 13 for 130
	clang   int   // what clang compiles for
	real    []int // what machine code is made for: 10 to 13
	// optional says that the machine code may be left out: the source was written for a later device,
	// and may ask for what sm_1x has not.
	optional bool
}

// later are names of what later devices brought, by the target that clang needs for them. NVIDIA's
// compiler has them from that architecture on alone; here the device is the same for all.
var later = []struct {
	target int
	names  *regexp.Regexp
}{
	{70, regexp.MustCompile(`\b__(match_(any|all)_sync|nanosleep)\b`)},
	{30, regexp.MustCompile(`\b__(shfl(_up|_down|_xor)?(_sync)?|(all|any|uni|ballot)_sync|syncwarp|activemask|fns)\b`)},
}

// least returns the earliest target with all features that a source names, 0 for any.
func least(read []sourceFile) int {
	for _, l := range later {
		if slices.ContainsFunc(read, func(f sourceFile) bool { return l.names.Match(f.text) }) {
			return l.target
		}
	}
	return 0
}

// request is one pair of a virtual architecture and the codes that the command line wants of it.
type request struct {
	virtual int
	codes   []int // real architectures
}

// number returns the number of an architecture, and whether it is a virtual one.
func number(name string) (n int, virtual bool, err error) {
	if slices.Contains(whole, name) {
		return latestTesla, false, nil
	}
	n, virtual, _ = options.Arch(name)
	if !slices.Contains(known, n) {
		return 0, false, fmt.Errorf("architecture %q is not known: want sm_N or compute_N, N one of %v", name, known)
	}
	return min(n, latest), virtual, nil
}

// newRequest reads an architecture and a list of codes, as -arch with -code and as -gencode has them.
func newRequest(arch string, codes []string) (r request, err error) {
	n, virtual, err := number(arch)
	if err != nil {
		return r, err
	}
	r.virtual = n
	if !virtual {
		r.codes = append(r.codes, n)
	}
	for _, code := range codes {
		n, virtual, err := number(code)
		switch {
		case err != nil:
			return r, err
		case n < r.virtual:
			return r, fmt.Errorf("code %s cannot be made of %s, which is later", code, arch)
		case !virtual && !slices.Contains(r.codes, n):
			r.codes = append(r.codes, n)
		}
	}
	return r, nil
}

// gencode reads the value of -gencode: "arch=compute_13,code=sm_13", with more codes after commas, in
// brackets or in quotes.
var gencode = regexp.MustCompile(`^arch=(\w+),code=["'\[]*([\w,]+)["'\]]*$`)

func newGencode(text string) (request, error) {
	found := gencode.FindStringSubmatch(text)
	if found == nil {
		return request{}, fmt.Errorf("-gencode %s: want arch=compute_N,code=sm_N, or more codes after commas", text)
	}
	return newRequest(found[1], options.Split(found[2]))
}

// targets returns the compilations that requests need.
//
// If code for sm_1x is asked for, that for later devices is left out: a board of this generation
// would not take it either. Otherwise the earliest virtual architecture is compiled, for sm_13.
func targets(requests []request) (list []target) {
	requests = slices.Clone(requests)
	slices.SortStableFunc(requests, func(a, b request) int { return a.virtual - b.virtual })
	for _, r := range requests {
		again := len(list) > 0 && list[len(list)-1].virtual == r.virtual
		if r.virtual >= firstLater && len(list) > 0 && !again {
			break
		}
		if !again {
			list = append(list, target{virtual: r.virtual, clang: max(r.virtual, firstLater), optional: r.virtual >= firstLater})
		}
		t := &list[len(list)-1]
		for _, code := range r.codes {
			if code = min(code, latestTesla); !slices.Contains(t.real, code) {
				t.real = append(t.real, code)
			}
		}
	}
	return list
}
