package redacttest

import (
	"encoding/base64"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

const (
	digits = "0123456789"
	lowers = "abcdefghijklmnopqrstuvwxyz"
	uppers = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// alphabets are the characters of each class in a shape.
var alphabets = [...]string{
	'd': digits,
	'h': digits + "abcdef",
	'H': digits + "ABCDEF",
	'l': lowers,
	'u': uppers,
	'n': digits + lowers,
	'N': digits + uppers,
	'a': digits + lowers + uppers,
	'w': digits + lowers + uppers + "_",
	'k': digits + lowers + uppers + "_-",
	'b': digits + lowers + uppers + "+/",
	't': "234567" + uppers,
	'q': "023456789ACDEFGHJKLMNPQRSTUVWXYZ",      // bech32, as age writes it
	'g': digits + lowers + uppers + "!#%^*-_+?~", // what password managers draw, without quotes and brackets
	// the salts of WordPress, which have every sign but quotes
	'p': digits + lowers + uppers + "!@#$%^&*()-_ []{}<>~`+=,.;:/?|",
	'j': digits + lowers + "!@#$%^&*(-_=+)", // the keys of Django
}

// drawer draws values from shapes. Its numbers come from the seed alone, by
// the generator that is known as SplitMix64.
type drawer struct{ state uint64 }

func (d *drawer) below(n int) int {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int((z ^ z>>31) % uint64(n))
}

// draw fills in a shape: {h40} is 40 characters of the class h, {a20-24} is 20
// to 24 of the class a, {U1} a UUID, {D18} a number of 18 digits in base64, {v4} a
// passphrase of four words, {x1} a password that is one plain word. Everything else
// stands for itself.
func (d *drawer) draw(shape string) string {
	return classes().ReplaceAllStringFunc(shape, func(text string) string {
		part := classes().FindStringSubmatch(text)
		n, _ := strconv.Atoi(part[2])
		if most, err := strconv.Atoi(part[3]); err == nil {
			n += d.below(most - n + 1)
		}
		return d.class(part[1][0], n)
	})
}

// classes are those of a shape, with how many characters of them.
var classes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\{([dhHlunNawkbtqgpjUvDx])(\d+)(?:-(\d+))?\}`)
})

func (d *drawer) class(class byte, n int) string {
	switch class {
	case 'U':
		return d.draw("{h8}-{h4}-4{h3}-a{h3}-{h12}")
	case 'v':
		return d.words(n, " ")
	case 'D':
		return base64.RawStdEncoding.EncodeToString([]byte(d.from("123456789", 1) + d.from(digits, n-1)))
	case 'x':
		return d.words(1, "") + d.words(1, "")
	}
	return d.from(alphabets[class], n)
}

// from draws n characters. Where the set has digits and n is short, one of
// them is a digit: issuers draw so, or check that it came out so.
func (d *drawer) from(set string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = set[d.below(len(set))]
	}
	if n >= 8 && n <= 32 && strings.Contains(set, digits) && !strings.ContainsAny(string(b), digits) {
		b[n/2] = digits[d.below(len(digits))]
	}
	return string(b)
}

func (d *drawer) words(n int, sep string) string {
	some := make([]string, n)
	for i := range some {
		some[i] = plain[d.below(len(plain))]
	}
	return strings.Join(some, sep)
}

// plain are words as passphrases have them.
var plain = [...]string{
	"anchor", "basket", "candle", "dragon", "engine", "falcon", "garden", "hammer", "island", "jacket", "kettle", "ladder",
	"magnet", "napkin", "orange",
	"pepper", "quartz", "rocket", "saddle", "timber", "umbrella", "velvet", "walnut", "yellow", "zipper", "copper",
	"meadow", "pirate", "silver", "tunnel",
}
