#!/bin/sh
':' //; exec node --max-semi-space-size=1 --initial-old-space-size=64 --v8-pool-size=1 "$0" "$@"
// A shell runs the line above and becomes Node.js with these flags, which V8 takes only at a start
// (docs/internals/threads-and-memory.md, "Flags of V8"). To Node.js that line is a string and a
// comment. A first line with `env -S` would do the same, but BusyBox's env, on Alpine, has no -S.
import '../dist/src/main.js'
