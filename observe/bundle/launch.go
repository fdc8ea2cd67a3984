package bundle

import (
	"encoding/hex"
	"fmt"
)

// Module is a loaded image.
type Module struct {
	Image     []byte     `json:"-"`            // one cubin, as the device took it
	Arch      string     `json:"architecture"` // target of the compiler: sm_10 to sm_13
	Variables []Variable `json:"variables"`    // by name

	number int // in the bundle; a recorder counts from 1, 0 is not written yet
}

// Variable is where a __device__ or __constant__ variable of a module is.
type Variable struct {
	Name    string `json:"name"`
	Address uint32 `json:"address"`
	Bytes   int    `json:"bytes"`
}

// Kernel is a kernel of a module, with the banks and textures that loading gave it.
type Kernel struct {
	Module   *Module  `json:"-"`
	Name     string   `json:"name"`
	Banks    []Bank   `json:"banks"`    // of constant memory, without empty ones
	Textures []string `json:"textures"` // names of texture references, by texture unit; "" for none

	number int
}

// Bank is a bank of constant memory. A bank that the program can write is in device memory: at
// every launch it has the content of the object there.
type Bank struct {
	Bank    int    `json:"bank"`
	Address uint32 `json:"address,omitzero"` // 0 for a bank outside device memory
	Bytes   int    `json:"bytes"`
	Data    []byte `json:"-"` // nil for a bank in device memory
}

// Kind is the kind of an object.
type Kind string

// The kinds of object.
const (
	Allocation Kind = "allocation" // device memory that the program allocated
	OfModule   Kind = "module"     // device memory of a module's variables
	Mapped     Kind = "host"       // host memory that kernels reach
	Array      Kind = "array"      // texels without an address, which kernels only read
)

// Object is a piece of memory that launches of its context can see.
type Object struct {
	Kind    Kind
	Address uint32 // where kernels find it; identifies an array
	Bytes   []byte // the content, slack included; a mapping of a file only if Kind is Mapped
	Slack   int    // bytes at the end that kernels reach and the program did not ask for

	number  int
	context uint64

	// Of a reader.
	users int     // launches that began and can see it
	last  *Launch // the last of the users
	freed bool    // held by its users only
}

// Texture describes the image that a texture unit reads. It has the numbers of the driver's
// interface.
type Texture struct {
	Unit       int    `json:"unit"`
	Kind       string `json:"kind"` // of memory: linear, pitched or array
	Format     int    `json:"format"`
	Channels   int    `json:"channels"`
	Integer    bool   `json:"integer,omitzero"`    // components are returned unconverted
	Normalized bool   `json:"normalized,omitzero"` // coordinates are normalized
	Linear     bool   `json:"linear,omitzero"`     // filtering is linear
	Modes      [3]int `json:"modes"`               // of addressing
	Base       uint32 `json:"base,omitzero"`       // linear and pitched: the address
	Size       uint64 `json:"size,omitzero"`       // linear: bytes
	Pitch      uint32 `json:"pitch,omitzero"`      // pitched: bytes
	Width      int    `json:"width,omitzero"`      // pitched and array: texels
	Height     int    `json:"height,omitzero"`
	Depth      int    `json:"depth,omitzero"`
	Layered    bool   `json:"layered,omitzero"`
	Array      uint32 `json:"array,omitzero"` // array: its Object.Address; 0 if it was destroyed
}

// Hex is bytes that text shows as hexadecimal digits.
type Hex []byte

// MarshalText returns the digits.
func (h Hex) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h), nil }

// UnmarshalText reads digits.
func (h *Hex) UnmarshalText(text []byte) (err error) {
	*h, err = hex.AppendDecode(nil, text)
	return err
}

// Launch is one launch with everything visible to its kernel.
type Launch struct {
	Number   int       `json:"-"` // from 0; counts launches that were not recorded, too
	Kernel   *Kernel   `json:"-"`
	Context  uint64    `json:"context"`        // identifies the address space
	Device   string    `json:"device"`         // the model
	Arch     string    `json:"architecture"`   // of the device: sm_10 to sm_13
	Policy   string    `json:"policy"`         // the divergence policy
	Order    string    `json:"order,omitzero"` // of warps; "" is "turns"
	Grid     [2]int    `json:"grid"`
	Block    [3]int    `json:"block"`
	Shared   int       `json:"shared"` // bytes of dynamic shared memory
	Params   Hex       `json:"params"`
	Textures []Texture `json:"textures"` // bound ones only

	// Memory is all memory that the kernel could reach, as before the launch. Objects with an
	// address come first, in ascending order. The result of a Reader is valid until its next
	// launch.
	Memory []*Object `json:"-"`

	Outputs []Run `json:"-"` // the changes by the launch
	Outcome `json:"-"`
}

// Run is consecutive bytes of an object.
type Run struct {
	Object *Object
	Offset int
	Bytes  []byte
}

// Outcome is how a launch ended.
type Outcome struct {
	Result  string `json:"result"`            // the name of the CUresult
	Message string `json:"message,omitempty"` // the reason, unless it is CUDA_SUCCESS
}

// Success is the Result of a launch that ended well. After any other Result, memory that the kernel
// could write holds unspecified values.
const Success = "CUDA_SUCCESS"

// String names the launch for people: its number, kernel and shape.
func (l *Launch) String() string {
	return fmt.Sprintf("launch %d, kernel %s, grid %dx%d, block %dx%dx%d",
		l.Number, l.Kernel.Name, l.Grid[0], l.Grid[1], l.Block[0], l.Block[1], l.Block[2])
}

// Size returns the bytes that the program asked for.
func (o *Object) Size() int { return len(o.Bytes) - o.Slack }

// String names the object for people.
func (o *Object) String() string {
	switch o.Kind {
	case Array:
		return fmt.Sprintf("the array %d of %d bytes", o.Address, o.Size())
	case OfModule:
		return fmt.Sprintf("the variables at %#x", o.Address)
	case Mapped:
		return fmt.Sprintf("the mapped host memory of %d bytes at %#x, which the program may have changed itself", o.Size(), o.Address)
	}
	return fmt.Sprintf("the buffer of %d bytes at %#x", o.Size(), o.Address)
}
