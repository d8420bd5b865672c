package query

// diffContext is how many equal lines are shown around a change, as by git.
const diffContext = 3
