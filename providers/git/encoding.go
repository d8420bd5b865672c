package git

import (
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// decodeText converts the bytes of a commit to UTF-8. encoding is the commit's own header, empty for UTF-8.
// The single-byte western encodings are decoded as Windows-1252, which has printable characters instead of
// control characters that no text uses. For any other encoding, each run of bytes that is not valid UTF-8
// becomes U+FFFD.
func decodeText(s, encoding string) string {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "iso-8859-15", "windows-1252", "cp1252":
		if text, err := charmap.Windows1252.NewDecoder().String(s); err == nil {
			return text
		}
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
