package ptx

// names are the visible names, by scope: the module, then a function, then its nested braces.
type names struct {
	scopes []scope
}

// scope holds the names of one pair of braces.
type scope struct {
	things map[string]thing
	ranges map[string][]*Var // %r of %r<4>
	places map[string]place
	// waiting are the uses of places that may be declared later.
	waiting []use
}

// thing is a variable or a function.
type thing struct {
	v *Var
	f *Func
}

// place is a label, or what stands after a label: a list of targets or a prototype.
type place struct {
	label   *Label
	targets *Targets
	proto   *Prototype
}

// use is where the name of a place is used: in an operand, or as an entry of a list of targets.
type use struct {
	name    string
	pos     Pos
	operand *Operand
	entry   **Label
}

func (n *names) open() { n.scopes = append(n.scopes, scope{}) }

func (n *names) top() *scope { return &n.scopes[len(n.scopes)-1] }

// close ends the innermost scope and hands uses of names that it lacks to the one around it. For
// the outermost scope of a function it returns them.
func (n *names) close() []use {
	s := n.top()
	n.scopes = n.scopes[:len(n.scopes)-1]
	var rest []use
	for _, u := range s.waiting {
		at, ok := s.places[u.name]
		if !ok || !u.resolve(at) {
			rest = append(rest, u)
		}
	}
	if len(n.scopes) > 1 {
		n.top().waiting = append(n.top().waiting, rest...)
		return nil
	}
	return rest
}

// resolve puts a place where it is used. It reports false if the place is of the wrong kind.
func (u use) resolve(at place) bool {
	if u.entry != nil {
		*u.entry = at.label
		return at.label != nil
	}
	o := u.operand
	if o.Kind == Signature {
		o.Proto, o.Targets = at.proto, at.targets
		return at.proto != nil || at.targets != nil && at.targets.Labels == nil
	}
	o.Label, o.Targets = at.label, at.targets
	return at.label != nil || at.targets != nil
}

// find returns the meaning of a name in the innermost scope that has it.
func (n *names) find(name string) (thing, bool) {
	prefix, index := split(name)
	for i := len(n.scopes) - 1; i >= 0; i-- {
		if t, ok := n.scopes[i].find(name, prefix, index); ok {
			return t, true
		}
	}
	return thing{}, false
}

// find returns the meaning of a name in this scope. Prefix and index are results of split.
func (s *scope) find(name, prefix string, index int) (thing, bool) {
	if index >= 0 && s.ranges != nil {
		if vars := s.ranges[prefix]; index < len(vars) {
			return thing{v: vars[index]}, true
		}
	}
	if s.things == nil {
		return thing{}, false
	}
	t, ok := s.things[name]
	return t, ok
}

// local returns the meaning of a name in the innermost scope alone.
func (n *names) local(name string) (thing, bool) {
	prefix, index := split(name)
	return n.top().find(name, prefix, index)
}

// split parts a name from the number at its end: %r and 17. The number is -1 if there is none.
func split(name string) (prefix string, index int) {
	const mostDigits = 8
	at := len(name)
	for at > 0 && classes[name[at-1]] == classDigit {
		at--
	}
	digits := name[at:]
	if digits == "" || len(digits) > mostDigits || len(digits) > 1 && digits[0] == '0' {
		return name, -1
	}
	return name[:at], decimal(digits)
}

// add declares a name in the innermost scope.
func (n *names) add(name string, t thing) {
	s := n.top()
	if s.things == nil {
		s.things = map[string]thing{}
	}
	s.things[name] = t
}

// addRange declares prefix0, prefix1 ... in the innermost scope. It returns one of them that was
// declared before, nil if there is none.
func (n *names) addRange(prefix string, vars []*Var) *Var {
	s := n.top()
	if old := s.clash(prefix, vars); old != nil {
		return old
	}
	if s.ranges == nil {
		s.ranges = map[string][]*Var{}
	}
	s.ranges[prefix] = vars
	return nil
}

// clash returns a variable of the scope that has the name of one of a range.
func (s *scope) clash(prefix string, vars []*Var) *Var {
	if old := s.ranges[prefix]; len(old) > 0 {
		return old[0]
	}
	if len(vars) <= len(s.things) {
		for _, v := range vars {
			if old, ok := s.things[v.Name]; ok {
				return old.v
			}
		}
		return nil
	}
	for name, old := range s.things {
		if p, index := split(name); p == prefix && index >= 0 && index < len(vars) {
			return old.v
		}
	}
	return nil
}

// addPlace declares a place in the innermost scope. It reports false if the name is taken.
func (n *names) addPlace(name string, at place) bool {
	s := n.top()
	if s.places == nil {
		s.places = map[string]place{}
	}
	if _, ok := s.places[name]; ok {
		return false
	}
	s.places[name] = at
	return true
}
