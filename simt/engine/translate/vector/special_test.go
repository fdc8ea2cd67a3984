package vector

import (
	"testing"

	"jacquard/simt/lane"
)

func specials() (list []body) {
	for _, k := range []struct {
		name string
		emit func(b *Builder, x [2]Vec) [2]Vec
		want func(k *lane.Kernels) lane.Unary
	}{
		{"Rcp", (*Builder).Rcp, func(k *lane.Kernels) lane.Unary { return k.Rcp }},
		{"Rsqrt", (*Builder).Rsqrt, func(k *lane.Kernels) lane.Unary { return k.Rsqrt }},
		{"Lg2", (*Builder).Lg2, func(k *lane.Kernels) lane.Unary { return k.Lg2 }},
		{"Sin", (*Builder).Sin, func(k *lane.Kernels) lane.Unary { return k.Sin }},
		{"Cos", (*Builder).Cos, func(k *lane.Kernels) lane.Unary { return k.Cos }},
		{"Ex2", (*Builder).Ex2, func(k *lane.Kernels) lane.Unary { return k.Ex2 }},
	} {
		list = append(list, body{name: k.name, n: 1, group: 2,
			emit: func(b *Builder, x []Vec, _ int) []Vec {
				d := k.emit(b, [2]Vec(x))
				return d[:]
			},
			want: func(r *reference) { k.want(r.Kernels)(r.d(), r.x(0), whole) }})
	}
	list = append(list,
		monadic("PreSin", (*Builder).PreSin, func(k *lane.Kernels) lane.Unary { return k.PreSin }),
		monadic("PreEx2", (*Builder).PreEx2, func(k *lane.Kernels) lane.Unary { return k.PreEx2 }))
	for i := range list {
		random := list[i]
		random.name += "/random"
		list[i].words = floatWord
		list = append(list, random)
	}
	return list
}

func TestSpecials(t *testing.T) { run(t, specials()) }
