// Queries without a socket, in a process of their own.   node in-process-run.js OPTIONS
import { type InProcessOptions, measureInProcess } from './in-process.js'

const options = JSON.parse(process.argv[2] ?? '{}') as InProcessOptions
process.stdout.write(JSON.stringify(await measureInProcess(options)))
