package git

import "github.com/go-git/go-git/v5/plumbing"

// Object reads any object of at most limit bytes, by its 40 digits.
func (r *Repository) Object(id string, limit int64) (kind string, b []byte, err error) {
	typ, b, err := r.objects.get(plumbing.NewHash(id), limit)
	return typ.String(), b, err
}

// Stat returns the type and the size of an object.
func (r *Repository) Stat(id string) (kind string, size int64, err error) {
	typ, size, err := r.objects.stat(plumbing.NewHash(id))
	return typ.String(), size, err
}
