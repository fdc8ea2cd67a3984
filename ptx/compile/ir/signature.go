package ir

// signatures are the kinds of results and operands: the letters of Kind.String, n for no value, x
// for a Word or a Long, y for a Word, a Long or a Pred, z for any kind, b for a base, which is a
// Word or an address register. Equal letters of these are equal kinds in one value. A star repeats
// the operand before it any number of times.
var signatures = [opCount]string{
	Const: "z:", Undef: "z:", Tid: "w:", Header: "w:", Param: "w:", Physid: "w:", Clock: "w:",
	Pm: "w:", Symbol: "w:", Phi: "z:z*", Copy: "z:z", Pack: "l:ww", Low: "w:l", High: "w:l",
	Element: "w:t", Generic: "w:w", Specific: "w:w",

	Add: "x:xx", Sub: "x:xx", AddC: "w:www", Mul: "x:xx", MulHi: "x:xx", Mul16: "w:ww",
	Mul24: "w:ww", Mul24Hi: "w:ww", Neg: "x:x", Abs: "x:x", Sad: "w:www", Min: "x:xx", Max: "x:xx",
	And: "y:yy", Or: "y:yy", Xor: "y:yy", Not: "y:y", Shl: "x:xw", ShrU: "x:xw", ShrS: "x:xw",
	ZExt8: "w:w", ZExt16: "w:w", SExt8: "w:w", SExt16: "w:w", Clamp: "w:w", ICmp: "p:xx",
	ISet: "w:xx", Select: "x:pxx", PredSet: "w:p",

	FAdd: "w:ww", FMul: "w:ww", FMad: "w:www", FMin: "w:ww", FMax: "w:ww", FNeg: "w:w", FAbs: "w:w",
	FSat: "w:w", FCmp: "p:ww", FSet: "w:ww", FSlct: "w:www", Rcp: "w:w", Rsqrt: "w:w", Lg2: "w:w",
	Sin: "w:w", Cos: "w:w", Ex2: "w:w", PreSin: "w:w", PreEx2: "w:w", Cvt: "x:c",

	DAdd: "l:ll", DMul: "l:ll", DFma: "l:lll", DMin: "l:ll", DMax: "l:ll", DNeg: "l:l", DAbs: "l:l",
	DCmp: "p:ll", DSet: "w:ll",

	Load: "z:b", Store: "n:bw*", Atom: "x:bx*", Red: "n:bx*", Locked: "p:w", Tex: "t:w*", Fence: "n:",
	Bar: "n:w*", Vote: "p:p", Meet: "n:w*", Shl16: "a:w", AddrTo: "a:a",
}

// fits reports whether a kind is one that a letter stands for. bound are the kinds that letters
// stand for in the value so far.
func fits(letter byte, k Kind, bound map[byte]Kind) bool {
	switch letter {
	case 'n':
		return k == None
	case 'b':
		return k == Word || k == Addr
	case 'c':
		return k == Word || k == Long
	case 'x', 'y', 'z':
		if was, ok := bound[letter]; ok {
			return was == k
		}
		bound[letter] = k
		return letter == 'z' && k != None || k == Word || k == Long || letter == 'y' && k == Pred
	}
	return kindNames[k] == string(letter)
}

// suits reports whether the kinds of a value fit its operation.
func (v *Value) suits() bool {
	sign, bound := signatures[v.Op], map[byte]Kind{}
	if len(sign) < 2 || !fits(sign[0], v.Kind, bound) {
		return false
	}
	i, sign := 0, sign[2:]
	for _, a := range v.Args {
		if i == len(sign) || !fits(sign[i], a.Kind, bound) {
			return false
		}
		if i+1 == len(sign) || sign[i+1] != '*' {
			i++
		}
	}
	return i == len(sign) || i+2 == len(sign) && sign[i+1] == '*'
}
