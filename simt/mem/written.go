package mem

// ForgetWritten has Written begin anew.
func (s *Space) ForgetWritten() {
	for _, a := range s.live {
		a.written.Store(false)
	}
}

// Written reports whether the device may have stored something, since ForgetWritten, to the allocation or mapping that
// addr lies in: who looks for what a kernel changed can leave out the others. There it stored nothing.
func (s *Space) Written(addr uint32) bool {
	a := s.find(addr)
	return a != nil && a.written.Load()
}

// touch notes that a is stored to. Most stores find that noted, and then there is nothing that other workers must see.
func (a *allocation) touch() {
	if !a.written.Load() {
		a.written.Store(true)
	}
}
