package cubin

import "jacquard/tesla"

// code reads one kernel.
func (p *textParser) code(key token) error {
	k := Kernel{}
	var pools []span
	_, err := p.items("code", "}", map[string]item{
		"name":        {value: word(&k.Name)},
		"lmem":        {value: integer("lmem", tesla.LocalBytes, &k.Local)},
		"smem":        {value: integer("smem", tesla.SharedBytes, &k.Shared)},
		"reg":         {value: integer("reg", maxRegisters, &k.Registers)},
		"bar":         {value: integer("bar", maxBarriers, &k.Barriers)},
		"bincode":     {block: p.words(&k.Code, maxCode)},
		"params_SMEM": {block: p.skip}, // parameter names, for debuggers
		"const": {repeat: true, block: func(key token) error {
			v, err := p.data(key, dataRules{segname: "const", anyBank: true, offset: tesla.BankBytes, bytes: tesla.BankBytes})
			pools = append(pools, span{key, v.bank, v.offset, v.offset + v.bytes})
			k.Segments = append(k.Segments, Segment{v.bank, v.offset, v.bytes, v.init})
			return err
		}},
	})
	switch {
	case err != nil:
		return err
	case k.Name == "":
		return errorAt(key, "code without a name")
	case p.kernels[k.Name]:
		return errorAt(key, "second kernel named %s", k.Name)
	case len(k.Code) == 0:
		return errorAt(key, "kernel %s has no bincode", k.Name)
	}
	p.kernels[k.Name] = true
	p.img.Kernels = append(p.img.Kernels, k)
	return disjoint(pools)
}

// constant reads one __constant__ variable.
func (p *textParser) constant(key token) error {
	v, err := p.data(key, dataRules{segname: "const", named: true, bank: constantBank, offset: tesla.BankBytes, bytes: tesla.BankBytes})
	if err == nil {
		err = p.take(key, v.name)
	}
	p.spans = append(p.spans, span{key, v.bank, v.offset, v.offset + v.bytes})
	p.img.Constants = append(p.img.Constants, Variable{v.name, v.offset, v.bytes, v.init})
	return err
}

// global reads one __device__ variable. The file has the offset of its address slot, so the size
// of the variable does not bound the bank.
func (p *textParser) global(key token) error {
	v, err := p.data(key, dataRules{segname: "reloc", named: true, bank: AddressBank, offset: tesla.BankBytes, bytes: maxGlobal})
	if err == nil {
		err = p.take(key, v.name)
	}
	p.spans = append(p.spans, span{key, v.bank, v.offset, v.offset + slotBytes})
	p.img.Globals = append(p.img.Globals, Global{v.name, v.bytes, v.init, []Slot{{Offset: v.offset}}})
	return err
}

// sampler reads one texture reference.
func (p *textParser) sampler(key token) error {
	s := Sampler{Unit: -1}
	_, err := p.items("sampler", "}", map[string]item{
		"name":    {value: word(&s.Name)},
		"texunit": {value: integer("texunit", maxUnit, &s.Unit)},
	})
	switch {
	case err != nil:
		return err
	case s.Unit < 0:
		return errorAt(key, "sampler without texunit")
	case p.units[s.Unit]:
		return errorAt(key, "second sampler on texunit %d", s.Unit)
	}
	p.units[s.Unit] = true
	p.img.Samplers = append(p.img.Samplers, s)
	return p.take(key, s.Name)
}

// take claims a module-level name: programs look variables and textures up by it.
func (p *textParser) take(key token, name string) error {
	switch {
	case name == "":
		return errorAt(key, "%s without a name", key.text)
	case p.names[name]:
		return errorAt(key, "second variable or sampler named %s", name)
	}
	p.names[name] = true
	return nil
}
