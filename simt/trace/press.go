package trace

import "slices"

// pressed is a frame of issues that is being compressed, or waits for those before it.
type pressed struct {
	head  header
	data  []byte // the frame, when it is there
	ready bool
}

// press compresses a frame of issues beside the engine, and writes it behind those handed over before. It waits
// while there is much to compress. The recorder keeps data, and words, which are not compressed.
func (r *Recorder) press(h *header, data, words []byte) {
	r.pressing <- struct{}{}
	p := &pressed{head: *h}
	r.mu.Lock()
	r.queue = append(r.queue, p)
	r.mu.Unlock()
	go func() {
		p.data = r.encode(&p.head, data, words, r.buffers.get())
		r.buffers.put(data)
		r.buffers.put(words)
		r.mu.Lock()
		defer r.mu.Unlock()
		p.ready = true
		r.pass()
		<-r.pressing
	}()
}

// pass writes what is ready of the queue. The caller holds the lock.
func (r *Recorder) pass() {
	n := 0
	for n < len(r.queue) && r.queue[n].ready {
		p := r.queue[n]
		r.append(kindSteps, p.data)
		r.buffers.put(p.data)
		r.queue[n] = nil
		n++
	}
	if n > 0 {
		r.queue = append(r.queue[:0], r.queue[n:]...)
		r.written.Broadcast()
	}
}

// drain waits until everything that is in the queue is written. The caller holds the lock.
func (r *Recorder) drain() {
	if len(r.queue) == 0 {
		return
	}
	for last := r.queue[len(r.queue)-1]; slices.Contains(r.queue, last); {
		r.written.Wait()
	}
}
