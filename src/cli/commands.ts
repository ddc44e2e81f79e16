import { FORMATS } from '../statements/formats.js'
import type { CommandEntry } from './command.js'
import { exportCommand } from './export.js'
import { importCommand } from './import.js'

/** Everything `kontor` can do, in the order of its help. */
export const COMMANDS: readonly CommandEntry[] = [importCommand(FORMATS), exportCommand]
