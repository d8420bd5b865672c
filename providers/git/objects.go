package git

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	// baseCacheSize is the bytes in one generation of the cache of delta bases.
	baseCacheSize = 4 << 20
	// maxBase limits the size of a delta base, and of a delta.
	maxBase = 64 << 20
	// maxChain limits the length of delta chains; git itself makes 4,095 at most.
	maxChain = 4096
	// maxChainWork limits the bytes that are produced for one object.
	maxChainWork = 2 << 30
	// maxBuffer limits the memory that is kept for the next delta.
	maxBuffer = 1 << 20
	// releaseAfter is after how many packed objects the memory of a pack is released: otherwise all that a walk
	// reads counts as memory of this process.
	releaseAfter = 20_000
)

// objects reads objects. It is for one goroutine; fork returns another reader of the same files.
type objects struct {
	stores *stores
	bases  *byteCache[packOffset, content]
	z      inflater
	last   *pack // the pack that contained the last object
	chain  []entryAt
	delta  [2][]byte // buffers
	read   int       // packed objects read
}

// packOffset is the position of a packed object.
type packOffset struct {
	pack *pack
	off  int64
}

type content struct {
	typ plumbing.ObjectType
	b   []byte
}

func (o content) size() int { return len(o.b) + 64 }

type entryAt struct {
	entry
	at int64
}

// openObjects opens the object stores of a repository. problems lists alternates that can't be used. Packs
// are not listed before the first object is read.
func openObjects(commonDir string, idSize int) (o *objects, problems []Skip) {
	own := filepath.Join(commonDir, "objects")
	dirs, problems := alternates(own)
	return newObjects(&stores{dirs: append([]string{own}, dirs...), idSize: idSize}, baseCacheSize), problems
}

func newObjects(s *stores, cache int) *objects {
	return &objects{stores: s, bases: newByteCache[packOffset, content](cache)}
}

// fork returns a reader for another goroutine, with cache bytes in one generation
// of its cache.
func (o *objects) fork(cache int) *objects { return newObjects(o.stores, cache) }

func (o *objects) close() { o.stores.close() }

// get returns an object of at most limit bytes: [ErrNotFound] if it is missing, [ErrTooLarge] if it is
// larger. The caller must not change the bytes. Ids in trees have 20 bytes, whatever their size on disk. get
// tries all copies until one can be read: in the packs, loose, and once more after git has changed the packs.
func (o *objects) get(id plumbing.Hash, limit int64) (typ plumbing.ObjectType, b []byte, err error) {
	list, err := o.stores.list()
	if err != nil {
		return 0, nil, err
	}
	var bad error
	for range 3 { // a pack may be removed between two attempts
		err = catchFault(func() error {
			typ, b, err = o.once(list, id, limit)
			return err
		})
		if err == nil && typ == plumbing.TreeObject && o.stores.idSize != idSHA1 {
			b, err = shortenIDs(b, o.stores.idSize)
			return typ, b, name(id, err)
		}
		if err == nil || errors.Is(err, ErrTooLarge) {
			return typ, b, name(id, err)
		}
		if !errors.Is(err, ErrNotFound) {
			bad = errors.Join(bad, err)
		}
		again, err := o.stores.refresh(list)
		if err != nil {
			return 0, nil, err
		}
		if again == list {
			break
		}
		list = again
	}
	if bad != nil {
		return 0, nil, fmt.Errorf("object %s: %w: %w", id, errCorrupt, bad)
	}
	if err := catchFault(list.unreadable); err != nil {
		return 0, nil, err
	}
	if list.promised {
		return 0, nil, fmt.Errorf("object %s: %w (a partial clone, which does not have everything)", id, ErrNotFound)
	}
	return 0, nil, fmt.Errorf("object %s: %w", id, ErrNotFound)
}

func name(id plumbing.Hash, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("object %s: %w", id, err)
}

// once tries the current copies, beginning with the pack that contained the last object.
func (o *objects) once(list *packList, id plumbing.Hash, limit int64) (typ plumbing.ObjectType, b []byte, err error) {
	var bad error
	last := o.last
	for _, again := range [...]bool{true, false} {
		for _, p := range list.packs {
			if (p == last) != again {
				continue
			}
			off, ok, err := p.find(id)
			if !ok || err != nil { // if the object is missing, the error of an unreadable index is reported
				continue
			}
			o.last = p
			if o.read++; o.read%releaseAfter == 0 {
				p.release()
			}
			if typ, b, err = o.unpack(p, off, limit); err == nil || errors.Is(err, ErrTooLarge) {
				return typ, b, err
			}
			if !p.gone(err) {
				bad = errors.Join(bad, err)
			}
		}
	}
	for _, dir := range o.stores.dirs {
		typ, b, err = o.loose(dir, id.String(), limit)
		if err == nil || errors.Is(err, ErrTooLarge) {
			return typ, b, err
		}
		if !errors.Is(err, os.ErrNotExist) {
			bad = errors.Join(bad, err)
		}
	}
	return 0, nil, cmp.Or(bad, ErrNotFound)
}

// unpack reads a packed object: it follows the chain of deltas to the first object that is complete or
// cached, and applies them.
func (o *objects) unpack(p *pack, off int64, limit int64) (plumbing.ObjectType, []byte, error) {
	o.chain = o.chain[:0]
	var base content
	for at := off; ; {
		if known, ok := o.bases.get(packOffset{p, at}, content.size); ok {
			if at == off && int64(len(known.b)) > limit {
				return known.typ, nil, tooLarge(int64(len(known.b)))
			}
			base = known
			break
		}
		e, err := p.entry(at)
		if err != nil {
			return 0, nil, err
		}
		most := int64(maxBase)
		if at == off { // git makes no delta that is larger than its result
			most = limit
		}
		if e.size > most {
			return e.typ, nil, tooLarge(e.size)
		}
		if !e.isDelta() {
			if base, err = o.inflated(p, e); err != nil {
				return 0, nil, err
			}
			if at != off || e.typ != plumbing.CommitObject { // commits are seldom read twice
				o.bases.put(packOffset{p, at}, base, base.size())
			}
			break
		}
		if at == off {
			if err := o.outer(p, e, limit); err != nil {
				return 0, nil, err
			}
		}
		if o.chain = append(o.chain, entryAt{e, at}); len(o.chain) > maxChain {
			return 0, nil, errors.New("its deltas go round in a circle")
		}
		at = e.base
	}
	return o.build(p, base)
}

func tooLarge(size int64) error { return fmt.Errorf("it has %d bytes: %w", size, ErrTooLarge) }

func (o *objects) inflated(p *pack, e entry) (content, error) {
	b := make([]byte, e.size)
	return content{e.typ, b}, o.z.whole(p.data, e.data, b)
}

// outer reads the delta of the requested object, which contains the size of the result, into the first
// buffer.
func (o *objects) outer(p *pack, e entry, limit int64) error {
	delta, err := o.readDelta(0, p, e)
	if err != nil {
		return err
	}
	size, err := deltaSize(delta)
	if err == nil && size > limit {
		err = tooLarge(size)
	}
	return err
}

func (o *objects) readDelta(i int, p *pack, e entry) ([]byte, error) {
	o.delta[i] = slices.Grow(o.delta[i][:0], int(e.size))[:e.size]
	b := o.delta[i]
	if len(b) > maxBuffer {
		o.delta[i] = nil
	}
	return b, o.z.whole(p.data, e.data, b)
}

// build applies the deltas of the chain, the last one first.
func (o *objects) build(p *pack, base content) (plumbing.ObjectType, []byte, error) {
	outer, work := o.delta[0], int64(0)
	for i, e := range slices.Backward(o.chain) {
		delta := outer
		if i > 0 {
			var err error
			if delta, err = o.readDelta(1, p, e.entry); err != nil {
				return 0, nil, err
			}
		}
		b, err := applyDelta(base.b, delta, maxBase)
		if err != nil {
			return 0, nil, err
		}
		if work += int64(len(b)); work > maxChainWork {
			return 0, nil, errors.New("its chain of deltas costs too much")
		}
		base.b = b
		if i > 0 || base.typ != plumbing.CommitObject {
			o.bases.put(packOffset{p, e.at}, base, base.size())
		}
	}
	return base.typ, base.b, nil
}

func (e entry) isDelta() bool { return e.typ == offsetDelta || e.typ == refDelta }

// withPrefix returns the ids that begin with the hex digits in prefix, two or more.
func (o *objects) withPrefix(prefix string) ([]plumbing.Hash, error) {
	list, err := o.stores.list()
	if err != nil {
		return nil, err
	}
	var out []plumbing.Hash
	add := func(id plumbing.Hash) {
		if strings.HasPrefix(id.String(), prefix) && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	whole := prefix[:len(prefix)&^1]
	raw := plumbing.NewHash(whole + strings.Repeat("0", 2*idSHA1-len(whole)))
	err = catchFault(func() error {
		for _, p := range list.packs {
			if x, err := p.openIndex(); err == nil {
				x.withPrefix(raw[:len(whole)/2], add)
			} else if !p.gone(err) {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", prefix, err)
	}
	o.looseWithPrefix(prefix, add)
	return out, nil
}

// refresh reports whether git has changed the packs.
func (o *objects) refresh() bool {
	before, err := o.stores.list()
	if err != nil {
		return false
	}
	after, err := o.stores.refresh(before)
	return err == nil && after != before
}
