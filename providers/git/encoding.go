package git

import (
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// decodeText turns the bytes of a commit into UTF-8. encoding is the commit's
// own header, empty for UTF-8. The single-byte western encodings are translated, as
// Windows-1252 has them, which has printable characters in place of control characters
// that no text uses; in any other one only the bytes that are not valid UTF-8 are lost,
// each run of them shown as U+FFFD.
func decodeText(s, encoding string) string {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "iso-8859-15", "windows-1252", "cp1252":
		if text, err := charmap.Windows1252.NewDecoder().String(s); err == nil {
			return text
		}
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
