// One contender of the match bench, in a process of its own.
//   node match-run.js CONTENDER OPTIONS
import { type MatchRunOptions, runKontor, runPeer } from './match-contenders.js'

const [name = '', words = '{}'] = process.argv.slice(2)
const options = JSON.parse(words) as MatchRunOptions
const figures = name === 'kontor' ? await runKontor(options) : runPeer(name, options)
process.stdout.write(JSON.stringify(figures))
