package ptx

// bounds reads the directives between a function's parameters and its body.
func (p *parser) bounds(f *Func) {
	for p.tok.kind == tokWord && !p.bad {
		word := p.tok
		if !isBound(word.text) {
			return
		}
		p.next()
		p.bound(f, word)
	}
}

// isBound reports whether a word is a directive that stands before a body.
func isBound(word string) bool {
	switch word {
	case "maxntid", "reqntid", "minnctapersm", "maxnctapersm", "maxnreg", "noreturn", "pragma",
		"abi_preserve", "abi_preserve_control", "maxclusterrank", "reqnctapercluster", "explicitcluster",
		"blocksareclusters":
		return true
	}
	return false
}

// bound reads one of these directives after its name. Those about registers that calls preserve, and
// about clusters, are dropped: code of this compiler has calls of its own kind, and blocks of a
// cluster run as other blocks do. What only clusters have is refused where a kernel uses it.
func (p *parser) bound(f *Func, word token) {
	b := &f.Bounds
	switch word.text {
	case "maxntid":
		p.threads(&b.MaxNTid)
	case "reqntid":
		p.threads(&b.ReqNTid)
	case "minnctapersm":
		b.MinNCTAPerSM = p.count("a number of blocks")
	case "maxnctapersm":
		b.MaxNCTAPerSM = p.count("a number of blocks")
	case "maxnreg":
		b.MaxNReg = p.count("a number of registers")
	case "noreturn":
		f.NoReturn = true
	case "pragma":
		f.Pragmas = append(f.Pragmas, p.pragma()...)
	case "abi_preserve", "abi_preserve_control":
		p.count("a number of registers")
	case "maxclusterrank":
		p.count("a number of blocks")
	case "reqnctapercluster":
		p.threads(&[3]int{})
	case "blocksareclusters":
		p.errorAt(word.pos, "%s is not supported: a launch would count clusters, which the devices lack", word.describe())
	}
}

// threads reads one to three numbers. Those that are not given are 1.
func (p *parser) threads(n *[3]int) {
	*n = [3]int{1, 1, 1}
	for i := range n {
		n[i] = p.count("a number of threads")
		if !p.accept(',') {
			return
		}
	}
}
