package library_test

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
)

// words joins the words of an f64.
func words(lo, hi uint64) float64 { return math.Float64frombits(low(lo, 32) | hi<<32) }

func TestDemotion(t *testing.T) {
	check(t, "demote_f64", one(func(r row) uint64 {
		x := words(r[0], r[1])
		if x != x {
			return uint64(math.Float32bits(float32(x)))
		}
		return uint64(round32(x, 0, big.ToNearestEven))
	}))
	check(t, "promote_f32", func(r row) (result, bool) {
		x := math.Float64bits(number(r[0]))
		return result{low(x, 32), x >> 32}, true
	})
}

// integer64 rounds an integer to f32.
func integer64(mag uint64, neg bool, mode big.RoundingMode) uint64 {
	hi := float64(mag >> 11 << 11) // exact
	sum, rest := add64(hi, float64(mag&(1<<11-1)))
	if neg {
		sum, rest = -sum, -rest
	}
	return uint64(round32(sum, residue(sum, rest), mode))
}

func TestConversionOfLongs(t *testing.T) {
	for _, r := range roundings {
		check(t, "cvt_"+r.name+"_f32_u64", one(func(x row) uint64 {
			return integer64(x[0], false, r.mode)
		}))
		check(t, "cvt_"+r.name+"_f32_s64", one(func(x row) uint64 {
			s := int64(x[0]) >> 63
			return integer64((x[0]^uint64(s))-uint64(s), s < 0, r.mode)
		}))
	}
}

func TestConversionToLongs(t *testing.T) {
	integral := map[string]func(float64) float64{"rni": math.RoundToEven, "rzi": math.Trunc,
		"rmi": math.Floor, "rpi": math.Ceil}
	for name, f := range integral {
		for _, sat := range []string{"", "_sat"} {
			check(t, "cvt_"+name+sat+"_u64_f32", one(func(r row) uint64 {
				switch x := f(number(r[0])); {
				case x != x:
					return 1 << 63
				case x <= 0:
					return 0
				case x >= 1<<64:
					return math.MaxUint64
				default:
					return uint64(x)
				}
			}))
			check(t, "cvt_"+name+sat+"_s64_f32", one(func(r row) uint64 {
				switch x := f(number(r[0])); {
				case x != x, x <= -1<<63:
					return 1 << 63
				case x >= 1<<63:
					return math.MaxInt64
				default:
					return uint64(int64(x))
				}
			}))
		}
	}
}

// clamped returns the truth about a conversion of integers with .sat.
func clamped(to, from string) func(r row) uint64 {
	big64 := func(typ string, x uint64) *big.Int {
		n, _ := strconv.Atoi(typ[1:])
		if typ[0] == 's' {
			return big.NewInt(signExtend(x, n))
		}
		return new(big.Int).SetUint64(low(x, n))
	}
	n, _ := strconv.Atoi(to[1:])
	least, most := uint64(0), ^uint64(0)>>(64-n)
	if to[0] == 's' {
		least, most = 1<<(n-1), 1<<(n-1)-1
	}
	return func(r row) uint64 {
		x := big64(from, r[0])
		if x.Cmp(big64(to, least)) < 0 {
			return least
		}
		if x.Cmp(big64(to, most)) > 0 {
			return most
		}
		return r[0]
	}
}

func TestClampedIntegers(t *testing.T) {
	all := strings.Fields("u8 s8 u16 s16 u32 s32 u64 s64")
	for _, to := range all {
		for _, from := range all {
			if strings.HasSuffix(to+" "+from, "64") || strings.HasSuffix(to, "64") {
				want := clamped(to, from)
				name := "cvt_sat_" + to + "_" + from
				n, _ := strconv.Atoi(from[1:])
				m, _ := strconv.Atoi(to[1:])
				check(t, name, one(func(r row) uint64 {
					x := want(r)
					if m > n && x == r[0] { // extended
						if x = low(x, n); from[0] == 's' {
							x = uint64(signExtend(x, n))
						}
					}
					return x
				}))
			}
		}
	}
}
