package vector

import (
	"testing"

	"jacquard/simt/engine/translate/x86"
	"jacquard/simt/lane"
)

func monadic(name string, emit func(b *Builder, x Vec) Vec, want lane.Unary) body {
	return body{name: name, n: 1,
		emit: func(b *Builder, x []Vec, _ int) []Vec { return []Vec{emit(b, x[0])} },
		want: func(r *reference) { want(r.d(), r.x(0), whole) }}
}

func dyadic(name string, emit func(b *Builder, x, y Vec) Vec, want lane.Binary) body {
	return body{name: name, n: 2,
		emit: func(b *Builder, x []Vec, _ int) []Vec { return []Vec{emit(b, x[0], x[1])} },
		want: func(r *reference) { want(r.d(), r.x(0), r.x(1), whole) }}
}

func triadic(name string, emit func(b *Builder, x, y, z Vec) Vec, want lane.Ternary) body {
	return body{name: name, n: 3,
		emit: func(b *Builder, x []Vec, _ int) []Vec { return []Vec{emit(b, x[0], x[1], x[2])} },
		want: func(r *reference) { want(r.d(), r.x(0), r.x(1), r.x(2), whole) }}
}

// masking tests a mask: collected, selecting and expanded.
func masking(name string, n int, emit func(b *Builder, x []Vec) Mask, want func(r *reference)) body {
	return body{name: name, n: n, flags: true,
		emit: func(b *Builder, x []Vec, part int) []Vec {
			m := emit(b, x)
			v, w := b.Expand(m), b.Select(m, x[0], x[1])
			b.Collect(m, part, RegZ)
			b.a.Mov(32, x86.R(RegS), x86.R(RegZ))
			return []Vec{v, w}
		},
		want: func(r *reference) {
			want(r)
			lane.Expand(r.d(), &r.masks, whole)
			for j, x := range r.in[0] {
				if r.masks[0]>>j&1 != 0 {
					x = r.in[1][j]
				}
				r.out[1][j] = x
			}
			r.flags[0] = lane.Flags{Z: r.masks[0], S: r.masks[0]}
		}}
}

func run(t *testing.T, list []body) {
	for _, l := range levels(t) {
		for i := range list {
			t.Run(l.String()+"/"+list[i].name, func(t *testing.T) { try(t, &list[i], l) })
		}
	}
}
