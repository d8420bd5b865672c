package ingest

// IntentMark parts an idea's role in the index from its mark.
const IntentMark = ":"
