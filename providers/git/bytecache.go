package git

// byteCache caches the most recently used values by a key. It has two generations instead of an LRU list: the
// older one is dropped when the younger one is full.
type byteCache[K comparable, V any] struct {
	young, old map[K]V
	size       int // bytes in young
	limit      int // bytes in one generation
}

func newByteCache[K comparable, V any](limit int) *byteCache[K, V] {
	return &byteCache[K, V]{young: map[K]V{}, limit: limit}
}

// get returns a cached value; size returns its bytes if it moves to the young generation.
func (c *byteCache[K, V]) get(key K, size func(V) int) (V, bool) {
	if v, ok := c.young[key]; ok {
		return v, true
	}
	v, ok := c.old[key]
	if ok {
		c.put(key, v, size(v))
	}
	return v, ok
}

// put adds a value. It ignores a value larger than a quarter of a generation, which would evict too many
// others.
func (c *byteCache[K, V]) put(key K, v V, size int) {
	if size > c.limit/4 {
		return
	}
	if c.size += size; c.size > c.limit {
		c.young, c.old, c.size = map[K]V{}, c.young, size
	}
	c.young[key] = v
}
