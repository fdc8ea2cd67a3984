package driver

// Held counts the objects of the program that a driver keeps.
type Held struct{ Handles, HostBlocks, Threads, Places, Launches int }

// Held returns the present counts of d.
func (d *Driver) Held() (h Held) {
	d.handles.mu.RLock()
	h.Handles = len(d.handles.objects)
	d.handles.mu.RUnlock()
	d.host.mu.Lock()
	h.HostBlocks = len(d.host.blocks)
	d.host.mu.Unlock()
	d.mu.Lock()
	h.Threads = len(d.threads)
	for _, t := range d.threads {
		h.Places += len(t.stack)
	}
	d.mu.Unlock()
	d.launches.mu.Lock()
	h.Launches = len(d.launches.flags)
	d.launches.mu.Unlock()
	return h
}
