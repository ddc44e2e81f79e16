#!/bin/sh
':' //; [ "$1" = serve ] || exec node "$0" "$@"
':' //; exec node --max-semi-space-size=1 --initial-old-space-size=64 --v8-pool-size=1 "$0" "$@"
// A shell runs the two lines above and becomes Node.js: for `serve` with flags of V8, which takes
// them only at a start (docs/internals/threads-and-memory.md, "Flags of V8"). To Node.js they are
// strings and comments. A first line with `env -S` would do the same, but BusyBox's env, on Alpine,
// has no -S.
import '../dist/program/main.js'
