package debug

// Resume implements Target.
func (s *Session) Resume(o Order) (*Stop, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.gone || s.off.Load():
		return nil, ErrGone
	case !s.waiting:
		return nil, ErrRunning
	}
	if o.Kind == Again {
		o = s.order
	} else if err := s.obey(o); err != nil {
		return nil, err
	}
	s.order, s.started = o, true
	return s.goOn()
}

// goOn lets the process go on, and returns its next stop. The caller holds the lock.
func (s *Session) goOn() (*Stop, error) {
	s.waiting, s.stop = false, nil
	s.version.Add(1)
	s.changed.Broadcast()
	for face := s.faces; s.stop == nil || face != s.faces; s.changed.Wait() {
		if s.off.Load() || face != s.faces {
			return nil, ErrGone
		}
	}
	return s.stop, nil
}

// obey prepares the present launch for an order.
func (s *Session) obey(o Order) error {
	r := s.run
	if r == nil {
		if o.Kind != Continue && s.started {
			return ErrNone
		}
		return nil
	}
	switch o.Kind {
	case ReverseContinue, ReverseStep, ReverseStepInst:
		return r.goBack(o)
	case Continue:
		r.steps = stepping{}
		return nil
	}
	return r.begins(o)
}

// Pause implements Target.
func (s *Session) Pause() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting && s.run != nil && s.run.here != nil {
		return nil
	}
	s.pausing = true
	s.attend()
	return nil
}

// attend makes a launch that runs look at what has changed, within a turn of its warps.
func (s *Session) attend() {
	s.version.Add(1)
	if s.run != nil {
		s.run.later.Set(s.run)
	}
}

// Open lets the process run, and faces attach and detach as they like.
func (s *Session) Open() {
	s.open.Store(true)
	s.started, s.waiting = true, false
	s.off.Store(true)
}

// Attach makes the process stand still until its new face resumes it.
func (s *Session) Attach() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gone {
		return
	}
	s.reasons, s.stop = reasons{}, nil
	s.faces++
	s.waiting = true
	s.off.Store(false)
	s.attend()
}

// Detach implements Target.
func (s *Session) Detach() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off.Store(true)
	s.waiting = false
	s.attend()
	s.changed.Broadcast()
	return nil
}
