package trace

import "slices"

// pressed is a frame of issues that is being compressed, or waits for those before it.
type pressed struct {
	head  header
	data  []byte // the frame, when it is there
	ready bool
}

// press makes a frame of parts beside the engine, and writes it behind those handed over before. It waits
// while there is much to compress. The recorder keeps what it is given.
func (r *Recorder) press(h *header, parts []part) {
	r.pressing <- struct{}{}
	p := &pressed{head: *h}
	r.mu.Lock()
	r.queue = append(r.queue, p)
	r.mu.Unlock()
	go func() {
		r.fill(p, parts)
		r.mu.Lock()
		defer r.mu.Unlock()
		p.ready = true
		r.pass()
		<-r.pressing
	}()
}

// fill makes the frame of p: words first, which are not compressed, then the rest.
func (r *Recorder) fill(p *pressed, parts []part) {
	room, words := 0, 0
	for i := range parts {
		room += partHeaderSize + len(parts[i].data)
		words += int(parts[i].wordBytes)
	}
	frame := slices.Grow(r.buffers.frames.get(), headerSize+words+room)[:headerSize]
	data := slices.Grow(r.buffers.bytes.get(), room)
	for i := range parts {
		data, frame = parts[i].appendTo(data), parts[i].appendWords(frame)
		parts[i].release(&r.buffers)
	}
	r.buffers.parts.put(parts)
	p.data = r.encode(&p.head, data, frame)
	r.buffers.bytes.put(data)
}

// pass writes what is ready of the queue. The caller holds the lock.
func (r *Recorder) pass() {
	n := 0
	for n < len(r.queue) && r.queue[n].ready {
		p := r.queue[n]
		r.append(kindSteps, p.data)
		r.buffers.frames.put(p.data)
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
