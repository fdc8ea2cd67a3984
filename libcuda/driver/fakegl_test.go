package driver_test

import (
	"sync"

	"jacquard/libcuda/driver"
)

// fakeGL is a program's OpenGL with some objects. Many threads may use it.
type fakeGL struct {
	mu            sync.Mutex
	absent        bool // the thread has no current context
	broken        bool // Read and Write fail
	buffers       map[uint32][]byte
	images        map[uint32]*fakeImage
	reads, writes int
	during        func() // called by Read and Write, without the lock
}

// fakeImage is a texture or a renderbuffer.
type fakeImage struct {
	target driver.GLEnum
	shape  driver.GLImage
	levels int
	bytes  map[driver.GLPlace][]byte
}

// The objects of newFakeGL.
const (
	someBuffer  uint32 = 1
	otherBuffer uint32 = 2
	emptyBuffer uint32 = 3
	someTexture uint32 = 4
)

const rgba8 driver.GLEnum = 0x8058

func newFakeGL() *fakeGL {
	return &fakeGL{
		buffers: map[uint32][]byte{someBuffer: make([]byte, 256), otherBuffer: make([]byte, 4096), emptyBuffer: {}},
		images: map[uint32]*fakeImage{
			someTexture: {target: driver.GLTexture2D, shape: driver.GLImage{Width: 8, Height: 4, Depth: 1, Format: rgba8}, levels: 1},
		},
	}
}

func (f *fakeGL) Current() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.current()
}

func (f *fakeGL) current() error {
	if f.absent {
		return driver.ErrInvalidGraphicsContext
	}
	return nil
}

func (f *fakeGL) Buffer(name uint32) (uint64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.current(); err != nil {
		return 0, err
	}
	b, known := f.buffers[name]
	if !known {
		return 0, driver.ErrInvalidHandle
	}
	return uint64(len(b)), nil
}

func (f *fakeGL) Image(name uint32, target driver.GLEnum, level uint32) (driver.GLImage, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.current(); err != nil {
		return driver.GLImage{}, err
	}
	image := f.images[name]
	if image == nil {
		return driver.GLImage{}, driver.ErrInvalidHandle
	}
	if target >= driver.GLTextureFace && target < driver.GLTextureFace+6 {
		target = driver.GLTextureCubeMap
	}
	if image.target != target {
		return driver.GLImage{}, driver.ErrInvalidValue
	}
	if int(level) >= image.levels {
		return driver.GLImage{}, nil
	}
	shape := image.shape
	if level == 0 {
		return shape, nil
	}
	shape.Width, shape.Height = max(shape.Width>>level, 1), max(shape.Height>>level, 1)
	if target == driver.GLTexture3D {
		shape.Depth = max(shape.Depth>>level, 1)
	}
	return shape, nil
}

func (f *fakeGL) Read(place driver.GLPlace, to []byte) error {
	return f.move(place, len(to), func(b []byte) { copy(to, b) }, &f.reads)
}

func (f *fakeGL) Write(place driver.GLPlace, from []byte) error {
	return f.move(place, len(from), func(b []byte) { copy(b, from) }, &f.writes)
}

func (f *fakeGL) move(place driver.GLPlace, size int, do func([]byte), count *int) error {
	if f.during != nil {
		f.during()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.current(); err != nil {
		return err
	}
	if f.broken {
		return driver.ErrUnknown
	}
	*count++
	if place.Target == driver.GLArrayBuffer {
		if len(f.buffers[place.Name]) != size {
			return driver.ErrUnknown
		}
		do(f.buffers[place.Name])
		return nil
	}
	do(f.images[place.Name].at(place, size))
	return nil
}

// at returns the content at a place.
func (i *fakeImage) at(place driver.GLPlace, size int) []byte {
	if i.bytes == nil {
		i.bytes = map[driver.GLPlace][]byte{}
	}
	if i.bytes[place] == nil {
		i.bytes[place] = make([]byte, size)
	}
	return i.bytes[place]
}
