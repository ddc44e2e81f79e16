import { isNodeSupported, NODE_VERSIONS } from './node-version.js'

// Checked before any other module is loaded: an older Node.js fails on the code itself, or aborts
// in a native module that was not built for it.
if (isNodeSupported(process.versions.node)) {
  // Databases, exports and backups are for their owner alone, whatever the directory's mode.
  process.umask(0o077)
  const [{ COMMANDS }, { endOnSignals }, { runKontor }, { terminalOfProcess }] = await Promise.all([
    import('./cli/commands.js'),
    import('./cli/first-process.js'),
    import('./cli/run.js'),
    import('./cli/terminal.js'),
  ])
  endOnSignals(process)
  process.exitCode = await runKontor(COMMANDS, process.argv.slice(2), terminalOfProcess())
  // A silent input pipe would keep the process alive after the command timed out.
  if (process.exitCode === 3 && 'unref' in process.stdin) process.stdin.unref()
} else {
  const found = `this is version ${process.versions.node}`
  process.stderr.write(`kontor: Node.js ${NODE_VERSIONS} is required; ${found}\n`)
  process.exitCode = 1
}
