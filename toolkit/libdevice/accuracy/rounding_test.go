package accuracy_test

import (
	"math"
	"math/big"
	"strings"
)

// modes are the roundings of CUDA's names.
var modes = map[string]big.RoundingMode{
	"rn": big.ToNearestEven, "rz": big.ToZero, "rd": big.ToNegativeInf, "ru": big.ToPositiveInf}

// number returns a finite number, nil for others.
func number(w uint64, single bool) *big.Float {
	x := math.Float64frombits(w)
	if single {
		x = float64(math.Float32frombits(uint32(w)))
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return new(big.Float).SetFloat64(x)
}

// rounded returns a number as a float or double, nil if it is subnormal, zero or too large.
func rounded(x *big.Float, single bool, mode big.RoundingMode) []uint64 {
	prec, least := uint(53), -1021
	if single {
		prec, least = 24, -125
	}
	y := new(big.Float).SetMode(mode).SetPrec(prec).Set(x)
	if y.Sign() == 0 || y.MantExp(nil) < least {
		return nil
	}
	if single {
		f, _ := y.Float32()
		return []uint64{uint64(math.Float32bits(f))}
	}
	f, _ := y.Float64()
	return []uint64{math.Float64bits(f)}
}

// arithmetic makes a word of an operation on floats whose result has many digits.
func arithmetic(single bool, mode big.RoundingMode, f func(to *big.Float, x []*big.Float)) word {
	return func(a []uint64) []uint64 {
		x := make([]*big.Float, len(a))
		for i := range a {
			if x[i] = number(a[i], single); x[i] == nil {
				return nil
			}
		}
		y := new(big.Float).SetPrec(600).SetMode(big.ToZero)
		f(y, x)
		if y.IsInf() {
			return nil
		}
		return rounded(y, single, mode)
	}
}

var operations = map[string]func(to *big.Float, x []*big.Float){
	"add": func(to *big.Float, x []*big.Float) { to.Add(x[0], x[1]) },
	"sub": func(to *big.Float, x []*big.Float) { to.Sub(x[0], x[1]) },
	"mul": func(to *big.Float, x []*big.Float) { to.Mul(x[0], x[1]) },
	"div": func(to *big.Float, x []*big.Float) {
		if x[1].Sign() != 0 {
			to.Quo(x[0], x[1])
		}
	},
	"rcp": func(to *big.Float, x []*big.Float) {
		if x[0].Sign() != 0 {
			to.Quo(big.NewFloat(1), x[0])
		}
	},
	"sqrt": func(to *big.Float, x []*big.Float) {
		if x[0].Sign() > 0 {
			to.Sqrt(x[0])
		}
	},
	"fma": func(to *big.Float, x []*big.Float) {
		to.Mul(x[0], x[1])
		to.Add(to, x[2])
	},
	"rsqrt": func(to *big.Float, x []*big.Float) {
		if x[0].Sign() > 0 {
			to.Quo(big.NewFloat(1), to.Sqrt(x[0]))
		}
	},
}

// toInteger converts to an integer of a size, nil where it does not fit.
func toInteger(single bool, mode big.RoundingMode, size int, sign bool) word {
	return func(a []uint64) []uint64 {
		x := number(a[0], single)
		if x == nil {
			return nil
		}
		n := integer(x, mode)
		low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(size))
		if sign {
			high.Rsh(high, 1)
			low.Neg(high)
		}
		if n.Cmp(low) < 0 || n.Cmp(high) >= 0 {
			return nil
		}
		return []uint64{uint64(n.Int64()) & (math.MaxUint64 >> (64 - size))}
	}
}

// integer rounds to an integer.
func integer(x *big.Float, mode big.RoundingMode) *big.Int {
	n, _ := x.Int(nil) // towards 0
	whole := new(big.Float).SetInt(n)
	rest := new(big.Float).SetPrec(200).Sub(x, whole)
	twice := new(big.Float).Add(rest, rest)
	twice.Abs(twice)
	c := twice.Cmp(big.NewFloat(1))
	away := mode == big.ToNearestEven && (c > 0 || c == 0 && n.Bit(0) == 1) ||
		mode == big.ToNegativeInf && rest.Sign() < 0 || mode == big.ToPositiveInf && rest.Sign() > 0 ||
		mode == big.ToNearestAway && c >= 0
	if away {
		n.Add(n, big.NewInt(int64(rest.Sign())))
	}
	return n
}

func fromInteger(size int, sign, single bool, mode big.RoundingMode) word {
	return func(a []uint64) []uint64 {
		n := new(big.Int).SetUint64(a[0] & (math.MaxUint64 >> (64 - size)))
		if sign {
			n.SetInt64(int64(a[0]) << (64 - size) >> (64 - size))
		}
		if n.Sign() == 0 {
			return []uint64{0}
		}
		return rounded(new(big.Float).SetInt(n), single, mode)
	}
}

var integerTypes = map[string]struct {
	size int
	sign bool
}{"int": {32, true}, "uint": {32, false}, "ll": {64, true}, "ull": {64, false}}

// roundings are the functions that say how they round.
func roundings() map[string]word {
	all := map[string]word{"fma": nil, "fmaf": nil}
	for _, f := range tested() {
		name := strings.TrimPrefix(f.Name, "__nv_")
		i := strings.LastIndex(name, "_")
		mode, ok := modes[name[i+1:]]
		if i < 0 || !ok || strings.Contains(name, "half") {
			continue
		}
		name = name[:i]
		if from, to, ok := strings.Cut(name, "2"); ok {
			all[name+"_"+f.Name[len(f.Name)-2:]] = conversion(from, to, mode)
			continue
		}
		full := strings.TrimPrefix(f.Name, "__nv_")
		single := f.Result == "float"
		switch {
		case strings.HasPrefix(name, "fma"):
			all[full] = arithmetic(single, mode, operations["fma"])
		default:
			all[full] = arithmetic(single, mode, operations[name[1:]])
		}
	}
	all["fma"] = arithmetic(false, big.ToNearestEven, operations["fma"])
	all["fmaf"] = arithmetic(true, big.ToNearestEven, operations["fma"])
	return all
}

func conversion(from, to string, mode big.RoundingMode) word {
	if t, ok := integerTypes[to]; ok {
		return toInteger(from == "float", mode, t.size, t.sign)
	}
	if t, ok := integerTypes[from]; ok {
		return fromInteger(t.size, t.sign, to == "float", mode)
	}
	return func(a []uint64) []uint64 { // double to float
		if x := number(a[0], false); x != nil && x.MantExp(nil) < 128 {
			return rounded(x, true, mode)
		}
		return nil
	}
}
