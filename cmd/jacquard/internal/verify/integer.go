package verify

var integerOps = []string{
	"add", "sub", "subr", "addc", "mad", "msub", "msubr", "madc", "mul", "sad",
	"shl", "shr", "set", "min", "max", "and", "or", "xor", "mov2",
}
