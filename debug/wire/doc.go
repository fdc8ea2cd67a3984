// Package wire lets a face in one process use a Session in another: requests and answers are lines of
// JSON on a connection. Serve is the side of the session, Dial the side of the face.
//
// A request is {"id":1,"call":"Evaluate","with":{...}}, an answer {"id":1,"result":{...}} or
// {"id":1,"error":"..."}. Answers come in any order: Resume waits until the process stops. The lines
// are private to two builds of the same version.
package wire
