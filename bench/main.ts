// npm run bench -- NAME: runs one bench and prints its figures as Markdown.
import { CommandError, messageOf } from '../src/errors.js'
import { BENCHES } from './benches.js'
import { RESULTS_PATH, recordSection, sectionName } from './report.js'
import { provenance, readRequest } from './settings.js'

/** Benches that also run over the corpus of a shop. */
const OF_A_SHOP = ['search', 'suggest', 'match', 'start', 'live', 'import', 'many', 'summary']

function help(): string {
  const lines = BENCHES.map(({ name, summary }) => `  ${name.padEnd(8)} ${summary}`)
  return `npm run bench -- NAME [flags]

${lines.join('\n')}

  --corpus C    demo, or shop: 300,000 customers and 100,000 words by Zipf's law (demo)
  --rows N      rows of the corpus (1000000)
  --seed S      of the corpus and of the requests (7)
  --seconds S   of each period of load (4)
  --rounds R    of each workload (5)
  --record      write the figures to bench/results.md
`
}

async function run(words: readonly string[]): Promise<void> {
  const say = (line: string): void => void process.stderr.write(`${line}\n`)
  const request = readRequest(words, say)
  if (request.name === undefined) {
    process.stdout.write(help())
    return
  }
  const bench = BENCHES.find(({ name }) => name === request.name)
  if (bench === undefined) {
    const known = BENCHES.map(({ name }) => name).join(', ')
    throw new CommandError('usage', `there is no bench ${request.name}; there are ${known}`)
  }
  const isOfShop = request.settings.corpus === 'shop'
  if (isOfShop && !OF_A_SHOP.includes(bench.name)) {
    throw new CommandError('usage', `--corpus shop is for ${OF_A_SHOP.join(', ')}`)
  }
  const report = await bench.run(request.settings)
  const name = isOfShop ? `${bench.name} of a shop` : bench.name
  const section = `${provenance(name, request.words)}\n\n${report}\n`
  process.stdout.write(section)
  if (request.isRecorded) recordSection(RESULTS_PATH, sectionName(name), section)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const isExpected = error instanceof CommandError
  const text = !isExpected && error instanceof Error ? error.stack : messageOf(error)
  process.stderr.write(`bench: ${text}\n`)
  process.exitCode = isExpected && error.kind === 'usage' ? 2 : 1
}
