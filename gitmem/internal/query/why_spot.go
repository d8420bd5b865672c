package query

// LargestFile is the largest file on disk that is compared, in bytes.
const LargestFile = 16 << 20
