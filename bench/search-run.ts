// One contender of the search bench, in a process of its own.
//   node search-run.js CONTENDER OPTIONS
import { runContender, type SearchRunOptions } from './search-contenders.js'

const [name = '', options = '{}'] = process.argv.slice(2)
const figures = await runContender(name, JSON.parse(options) as SearchRunOptions)
process.stdout.write(JSON.stringify(figures))
