package schedule

import (
	"sync/atomic"

	"jacquard/simt/mem"
	"jacquard/simt/mem/texture"
	"jacquard/simt/watch"
)

// Launch is one kernel launch, complete: everything the grid can see.
type Launch struct {
	Program  *Program
	Grid     [2]int // blocks in x, y
	Block    [3]int // threads in x, y, z
	Params   []byte // parameter block, placed at s[0x10]
	Dynamic  int    // bytes of dynamic shared memory
	Global   *mem.Space
	Const    [16][]byte        // constant banks; nil is an unbound bank
	Textures []texture.Texture // by texture unit; the zero Texture is unbound

	Policy    string         // divergence policy; "" is the default
	Watchdog  uint64         // most warp-instructions issued before the launch is ended; 0 is no limit
	Workers   int            // most host cores at work; 0 is all there are
	Pool      *Pool          // those cores, kept from launch to launch; may be nil
	Interrupt *atomic.Bool   // when it turns true the launch ends with machine.FaultInterrupt; may be nil
	Observer  watch.Observer // watches every issue; may be nil
	Recorder  watch.Recorder // is told of every issue, at the engine's pace; may be nil
	InStep    InStep         // whether to look for code that relies on lanes running in step
	NoStats   bool           // do not count (Stats then holds only Elapsed and the shape)
}
