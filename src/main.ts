#!/usr/bin/env node
import { COMMANDS } from './cli/commands.js'
import { runKontor } from './cli/run.js'
import { terminalOfProcess } from './cli/terminal.js'

process.exitCode = await runKontor(COMMANDS, process.argv.slice(2), terminalOfProcess())
