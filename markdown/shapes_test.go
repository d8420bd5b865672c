package markdown_test

const archive = `---
format: 1
kind: sessions
project: github.com/acme/pump
date: 2026-11-20
---

# 2026-11-20

## Relay board bring-up ^s-3f2a91c4

session: 3f2a91c4 · 14:02–15:40 UTC · branch main
read: docs/relay.md · wrote: firmware/relay.c

Chose 10 A relays after the pump measured 7 A. The range test is still open.

- [work] Wired the relay board
- [failed] Optocoupler 4N25: too slow for the zero-cross detector (L201 14:40)
- [lesson] Measure the inrush before choosing a relay (L233 14:51)

### Relay specifications (L12–L180) ^t-3f2a91c4-1

- [decision] Use 10 A relays: the pump draws 7 A #tech/relay (L124 14:22) ^i-81c2d0k7qa
  - supersedes [[2026-10-02#^i-77aa01m3xz]]
- [problem] The TCXO drifts below -10 °C #tech/sx1262 (0.6 L140 14:25) ^i-90ab13c8tt
- [solution] Calibrate at boot (L171 14:33) ^i-90ab14r2fd
  - answers [[#^i-90ab13c8tt]]
- [todo] Repeat the range test outdoors (L178 14:36) ^i-90ab20p5we
`
