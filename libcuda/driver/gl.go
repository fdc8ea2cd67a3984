package driver

// GL is the OpenGL of the calling program. The driver calls it within a method of a Thread, on the
// goroutine of that method, and holds no lock: OpenGL's context belongs to a thread of the program,
// and may call functions of the program.
//
// Every method answers ErrInvalidGraphicsContext if that thread has no current OpenGL context,
// ErrInvalidHandle for an object that OpenGL does not know, ErrInvalidValue for one that is not of
// the target's kind, and ErrUnknown if OpenGL cannot carry out the call. The state of OpenGL's
// context is the same afterwards.
type GL interface {
	// Current answers nil if the thread has a current context.
	Current() error

	// Buffer returns the size of a buffer object in bytes.
	Buffer(name uint32) (size uint64, err error)

	// Image describes a level of a texture, or a renderbuffer. A level that is not there has Width 0.
	Image(name uint32, target GLEnum, level uint32) (GLImage, error)

	// Read fills to with the content at a place, and Write replaces that content. Rows and slices
	// have no gaps between them. The object has the size that the driver was last told.
	Read(place GLPlace, to []byte) error
	Write(place GLPlace, from []byte) error
}

// GLEnum is one of OpenGL's constants.
type GLEnum uint32

// The targets of objects that can be shared, and the types of their components.
const (
	GLArrayBuffer      GLEnum = 0x8892 // for every buffer object
	GLTexture2D        GLEnum = 0x0de1
	GLTexture3D        GLEnum = 0x806f
	GLTextureRectangle GLEnum = 0x84f5
	GLTextureCubeMap   GLEnum = 0x8513
	GLTextureFace      GLEnum = 0x8515 // the first of six faces of a cube map
	GLTexture2DArray   GLEnum = 0x8c1a
	GLRenderbuffer     GLEnum = 0x8d41

	GLByte          GLEnum = 0x1400
	GLUnsignedByte  GLEnum = 0x1401
	GLShort         GLEnum = 0x1402
	GLUnsignedShort GLEnum = 0x1403
	GLInt           GLEnum = 0x1404
	GLUnsignedInt   GLEnum = 0x1405
	GLFloat         GLEnum = 0x1406
	GLHalfFloat     GLEnum = 0x140b
)

// GLImage is the shape of a level of a texture, or of a renderbuffer.
type GLImage struct {
	Width, Height, Depth uint32
	Format               GLEnum // OpenGL's internal format
	Border, Samples      uint32
}

// GLPlace is where the bytes of a transfer lie: in a buffer object, or in a level of an image.
type GLPlace struct {
	Name   uint32
	Target GLEnum // GLArrayBuffer, an image's target, or a face of a cube map
	Level  uint32
	Image  GLImage
	// The components of an element in memory, and their type.
	Format, Type GLEnum
}

// noGL is the GL of a program without one.
type noGL struct{}

func (noGL) Current() error                { return ErrInvalidGraphicsContext }
func (noGL) Buffer(uint32) (uint64, error) { return 0, ErrInvalidGraphicsContext }
func (noGL) Image(uint32, GLEnum, uint32) (GLImage, error) {
	return GLImage{}, ErrInvalidGraphicsContext
}
func (noGL) Read(GLPlace, []byte) error  { return ErrInvalidGraphicsContext }
func (noGL) Write(GLPlace, []byte) error { return ErrInvalidGraphicsContext }
