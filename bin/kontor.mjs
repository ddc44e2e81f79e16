#!/bin/sh
':' //; exec node --max-semi-space-size=1 --initial-old-space-size=64 --v8-pool-size=1 "$0" "$@"
// A shell reads the line above and becomes Node.js with these flags, which V8 takes only when it
// begins (ARCHITECTURE.md, "Threads"). Node.js then reads this file, where that line is a text and
// a comment. A first line with `env -S` would do the same, but BusyBox's env, Alpine's, has no -S.
import '../dist/src/main.js'
