package x86

// Products and sums rounded once (FMA).
const (
	// The digits name the operands in the order D, S, RM: 231 is D = S*RM + D.
	VFMADD132PS VOp = iota + endFloat
	VFMADD132PD
	VFMADD132SS
	VFMADD132SD
	VFMADD213PS
	VFMADD213PD
	VFMADD213SS
	VFMADD213SD
	VFMADD231PS
	VFMADD231PD
	VFMADD231SS
	VFMADD231SD
	VFMSUB132PS
	VFMSUB132PD
	VFMSUB132SS
	VFMSUB132SD
	VFMSUB213PS
	VFMSUB213PD
	VFMSUB213SS
	VFMSUB213SD
	VFMSUB231PS
	VFMSUB231PD
	VFMSUB231SS
	VFMSUB231SD
	VFNMADD132PS
	VFNMADD132PD
	VFNMADD132SS
	VFNMADD132SD
	VFNMADD213PS
	VFNMADD213PD
	VFNMADD213SS
	VFNMADD213SD
	VFNMADD231PS
	VFNMADD231PD
	VFNMADD231SS
	VFNMADD231SD
	VFNMSUB132PS
	VFNMSUB132PD
	VFNMSUB132SS
	VFNMSUB132SD
	VFNMSUB213PS
	VFNMSUB213PD
	VFNMSUB213SS
	VFNMSUB213SD
	VFNMSUB231PS
	VFNMSUB231PD
	VFNMSUB231SS
	VFNMSUB231SD

	endFused
)

var fusedRows = [...]row{
	{VFMADD132PS, "VFMADD132PS", rvm, both, p66, m38, 0x98, w0, full32, er},
	{VFMADD132PD, "VFMADD132PD", rvm, both, p66, m38, 0x98, w1, full64, er},
	{VFMADD132SS, "VFMADD132SS", rvm, v1 | e1, p66, m38, 0x99, w0, mem4, er | lig},
	{VFMADD132SD, "VFMADD132SD", rvm, v1 | e1, p66, m38, 0x99, w1, mem8, er | lig},
	{VFMADD213PS, "VFMADD213PS", rvm, both, p66, m38, 0xA8, w0, full32, er},
	{VFMADD213PD, "VFMADD213PD", rvm, both, p66, m38, 0xA8, w1, full64, er},
	{VFMADD213SS, "VFMADD213SS", rvm, v1 | e1, p66, m38, 0xA9, w0, mem4, er | lig},
	{VFMADD213SD, "VFMADD213SD", rvm, v1 | e1, p66, m38, 0xA9, w1, mem8, er | lig},
	{VFMADD231PS, "VFMADD231PS", rvm, both, p66, m38, 0xB8, w0, full32, er},
	{VFMADD231PD, "VFMADD231PD", rvm, both, p66, m38, 0xB8, w1, full64, er},
	{VFMADD231SS, "VFMADD231SS", rvm, v1 | e1, p66, m38, 0xB9, w0, mem4, er | lig},
	{VFMADD231SD, "VFMADD231SD", rvm, v1 | e1, p66, m38, 0xB9, w1, mem8, er | lig},
	{VFMSUB132PS, "VFMSUB132PS", rvm, both, p66, m38, 0x9A, w0, full32, er},
	{VFMSUB132PD, "VFMSUB132PD", rvm, both, p66, m38, 0x9A, w1, full64, er},
	{VFMSUB132SS, "VFMSUB132SS", rvm, v1 | e1, p66, m38, 0x9B, w0, mem4, er | lig},
	{VFMSUB132SD, "VFMSUB132SD", rvm, v1 | e1, p66, m38, 0x9B, w1, mem8, er | lig},
	{VFMSUB213PS, "VFMSUB213PS", rvm, both, p66, m38, 0xAA, w0, full32, er},
	{VFMSUB213PD, "VFMSUB213PD", rvm, both, p66, m38, 0xAA, w1, full64, er},
	{VFMSUB213SS, "VFMSUB213SS", rvm, v1 | e1, p66, m38, 0xAB, w0, mem4, er | lig},
	{VFMSUB213SD, "VFMSUB213SD", rvm, v1 | e1, p66, m38, 0xAB, w1, mem8, er | lig},
	{VFMSUB231PS, "VFMSUB231PS", rvm, both, p66, m38, 0xBA, w0, full32, er},
	{VFMSUB231PD, "VFMSUB231PD", rvm, both, p66, m38, 0xBA, w1, full64, er},
	{VFMSUB231SS, "VFMSUB231SS", rvm, v1 | e1, p66, m38, 0xBB, w0, mem4, er | lig},
	{VFMSUB231SD, "VFMSUB231SD", rvm, v1 | e1, p66, m38, 0xBB, w1, mem8, er | lig},
	{VFNMADD132PS, "VFNMADD132PS", rvm, both, p66, m38, 0x9C, w0, full32, er},
	{VFNMADD132PD, "VFNMADD132PD", rvm, both, p66, m38, 0x9C, w1, full64, er},
	{VFNMADD132SS, "VFNMADD132SS", rvm, v1 | e1, p66, m38, 0x9D, w0, mem4, er | lig},
	{VFNMADD132SD, "VFNMADD132SD", rvm, v1 | e1, p66, m38, 0x9D, w1, mem8, er | lig},
	{VFNMADD213PS, "VFNMADD213PS", rvm, both, p66, m38, 0xAC, w0, full32, er},
	{VFNMADD213PD, "VFNMADD213PD", rvm, both, p66, m38, 0xAC, w1, full64, er},
	{VFNMADD213SS, "VFNMADD213SS", rvm, v1 | e1, p66, m38, 0xAD, w0, mem4, er | lig},
	{VFNMADD213SD, "VFNMADD213SD", rvm, v1 | e1, p66, m38, 0xAD, w1, mem8, er | lig},
	{VFNMADD231PS, "VFNMADD231PS", rvm, both, p66, m38, 0xBC, w0, full32, er},
	{VFNMADD231PD, "VFNMADD231PD", rvm, both, p66, m38, 0xBC, w1, full64, er},
	{VFNMADD231SS, "VFNMADD231SS", rvm, v1 | e1, p66, m38, 0xBD, w0, mem4, er | lig},
	{VFNMADD231SD, "VFNMADD231SD", rvm, v1 | e1, p66, m38, 0xBD, w1, mem8, er | lig},
	{VFNMSUB132PS, "VFNMSUB132PS", rvm, both, p66, m38, 0x9E, w0, full32, er},
	{VFNMSUB132PD, "VFNMSUB132PD", rvm, both, p66, m38, 0x9E, w1, full64, er},
	{VFNMSUB132SS, "VFNMSUB132SS", rvm, v1 | e1, p66, m38, 0x9F, w0, mem4, er | lig},
	{VFNMSUB132SD, "VFNMSUB132SD", rvm, v1 | e1, p66, m38, 0x9F, w1, mem8, er | lig},
	{VFNMSUB213PS, "VFNMSUB213PS", rvm, both, p66, m38, 0xAE, w0, full32, er},
	{VFNMSUB213PD, "VFNMSUB213PD", rvm, both, p66, m38, 0xAE, w1, full64, er},
	{VFNMSUB213SS, "VFNMSUB213SS", rvm, v1 | e1, p66, m38, 0xAF, w0, mem4, er | lig},
	{VFNMSUB213SD, "VFNMSUB213SD", rvm, v1 | e1, p66, m38, 0xAF, w1, mem8, er | lig},
	{VFNMSUB231PS, "VFNMSUB231PS", rvm, both, p66, m38, 0xBE, w0, full32, er},
	{VFNMSUB231PD, "VFNMSUB231PD", rvm, both, p66, m38, 0xBE, w1, full64, er},
	{VFNMSUB231SS, "VFNMSUB231SS", rvm, v1 | e1, p66, m38, 0xBF, w0, mem4, er | lig},
	{VFNMSUB231SD, "VFNMSUB231SD", rvm, v1 | e1, p66, m38, 0xBF, w1, mem8, er | lig},
}
