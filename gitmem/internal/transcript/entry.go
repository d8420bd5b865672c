package transcript

// entry is a name in a folder.
type entry struct {
	name string
	dir  bool // a folder itself, not a link to one
}
