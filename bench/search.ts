// Workload: free-text searches, each a count and a first page of 100 ids, once in default order and
// once sorted by booking date, in process, each contender in a process of its own.
//   kontor        from the query text to the ids, without a cache
//   kontor again  the same with the query cache, as in a server
//   FTS5          SQLite's, trigram tokenizer, in memory (search-fts5.ts): the peer
//   FlexSearch    over the distinct words, with typed postings (search-flexsearch.ts)
//   MiniSearch    whole words only, so it runs only searches with the same answer by that rule
//   scan          each row's normalized text, one after the other: the oracle and the floor
// The classes differ in how many rows contain a term (search-classes.ts). In addition: costly
// searches, and the estimated cost of a search against its duration.
// Data: the demo's company (corpus.ts), 1,000,000 rows with 103 bytes of searched text, seed 7.
// Read: FTS5's median over kontor's, class by class, above 1; all contenders gave equal answers.
// Run: npm run bench -- search [--rows N] [--rounds R] [--record]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from './child.js'
import { openCorpus } from './corpus.js'
import { CONTENDERS, type ColdFigures, type SearchRunOptions } from './search-contenders.js'
import type { EngineFigures, SearchClasses } from './search-engine.js'
import type { Settings } from './settings.js'

/** All figures of the bench. */
export interface SearchFigures {
  readonly rowCount: number
  readonly classes: SearchClasses
  /** Figures of each contender, by name. */
  readonly engines: ReadonlyMap<string, EngineFigures>
  readonly cold: ColdFigures
}

/** Options that differ between a full run and a smoke run. */
export interface SearchOptions {
  /** Milliseconds of rounds after which a search is not repeated. */
  readonly queryMsMax: number
  /** Random searches whose estimated cost is compared with their duration. */
  readonly costedCount: number
}

/** Runs the whole bench, one process after the other. */
export async function measureSearches(
  settings: Settings,
  options: SearchOptions,
): Promise<SearchFigures> {
  const { say, seed, rounds } = settings
  const { workspacePath, rowCount } = await openCorpus(settings)
  const folder = mkdtempSync(join(tmpdir(), 'kontor-search-'))
  const classesPath = join(folder, 'classes.json')
  const run: SearchRunOptions = { ...options, workspacePath, classesPath, seed, rounds }
  const engines = new Map<string, EngineFigures>()
  try {
    for (const name of CONTENDERS) {
      say(name)
      const { stdout } = await runToEnd('bench/search-run.js', [name, JSON.stringify(run)])
      engines.set(name, JSON.parse(stdout) as EngineFigures)
    }
    const classes = JSON.parse(readFileSync(classesPath, 'utf8')) as SearchClasses
    // Of all contenders, only kontor without a cache returns cold figures.
    return { rowCount, classes, engines, cold: engines.get('kontor') as ColdFigures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
