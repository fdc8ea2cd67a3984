package probe

import "jacquard/tesla"

func arithmeticProbes() []*Probe {
	return []*Probe{
		{
			Name: "wide-overflow", Question: "Does a conversion from double set O where the integer is exactly the greatest?",
			Here: "it does not: the value fits", Arch: tesla.SM13,
			Rows: []string{
				"f2i64 u32 f64 rz,41efffffffe00000", "f2i64 u32 f64 rz,41efffffffdfffff", "f2i64 u32 f64 rz,41effffffff00000", "f2i64 u32 f64 rn,41efffffffefffff",
				"f2i64 u32 f64 rn,41effffffff00000", "f2i64 u32 f64 rz,41f0000000000000", "f2i64 u64 f64 rz,43efffffffffffff", "f2i64 u64 f64 rz,43f0000000000000",
			},
		},
	}
}
