// The times of this page: its first paint, and when what it shows was there.
() => ({
  paint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.now(),
  shown: window.shownAt,
})
