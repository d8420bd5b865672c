package git

// byteCache keeps the bytes that were used last, by a key. Two generations replace
// a list by age: the older one is dropped whole when the younger one is full.
type byteCache[K comparable, V any] struct {
	young, old map[K]V
	size       int // bytes in young
	limit      int // bytes in one generation
}

func newByteCache[K comparable, V any](limit int) *byteCache[K, V] {
	return &byteCache[K, V]{young: map[K]V{}, limit: limit}
}

// get returns what was put; size is what it counts for when it becomes young
// again.
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

// put keeps a value. One that takes more than a quarter of a generation would
// drive out too many others and is not kept.
func (c *byteCache[K, V]) put(key K, v V, size int) {
	if size > c.limit/4 {
		return
	}
	if c.size += size; c.size > c.limit {
		c.young, c.old, c.size = map[K]V{}, c.young, size
	}
	c.young[key] = v
}
