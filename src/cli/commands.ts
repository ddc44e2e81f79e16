import { FORMATS } from '../statements/formats.js'
import type { CommandEntry } from './command.js'
import { demoCommand } from './demo.js'
import { exportCommand } from './export.js'
import { importCommand } from './import.js'
import { keysCommands } from './keys.js'
import { serveCommand } from './serve.js'
import { workspacesCommands } from './workspaces.js'

/** Everything `kontor` can do, in the order of its help. */
export const COMMANDS: readonly CommandEntry[] = [
  serveCommand,
  demoCommand,
  importCommand(FORMATS),
  exportCommand,
  keysCommands,
  workspacesCommands,
]
