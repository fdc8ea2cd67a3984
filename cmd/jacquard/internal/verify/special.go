package verify

var specialOps = []string{"rcp", "rsqrt", "lg2", "sin", "cos", "ex2", "presin", "preex2"}

var specialMods = set("abs", "neg", "sat")
