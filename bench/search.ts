// Workload: free-text searches, each a count and a first page of 100 ids, once in default order and
// once sorted by booking date, inside the process, by every contender in a process of its own.
//   kontor        from the typed text to the ids, nothing of an earlier search kept
//   kontor again  the same, remembering searches as a server does
//   FTS5          SQLite's, trigram tokenizer, in memory (search-fts5.ts)
//   FlexSearch    over the distinct words, with typed postings (search-flexsearch.ts)
//   MiniSearch    whole words alone, so asked only what is the same by that rule
//   scan          each row's normalized text, one after the other: what the others have to equal
// Classes are chosen by how many rows have a term (search-classes.ts). Besides: searches made to be
// costly, and how the estimate of a search's cost relates to the time it takes.
// Data: the demo's company (corpus.ts), 1,000,000 rows with 103 bytes of searched text, seed 7.
// Run: npm run bench -- search [--rows N] [--rounds R] [--record]
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runToEnd } from './child.js'
import { openCorpus } from './corpus.js'
import { CONTENDERS, type ColdFigures, type SearchRunOptions } from './search-contenders.js'
import type { EngineFigures, SearchClasses } from './search-engine.js'
import type { Settings } from './settings.js'

/** Everything the bench has found. */
export interface SearchFigures {
  readonly rowCount: number
  readonly classes: SearchClasses
  /** What each contender has shown, by its name. */
  readonly engines: ReadonlyMap<string, EngineFigures>
  readonly cold: ColdFigures
}

/** What differs between a real run and a smoke run. */
export interface SearchOptions {
  /** A search is not repeated once its rounds have taken so long, milliseconds. */
  readonly queryMsMax: number
  /** Random searches whose estimate is compared with the time they take. */
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
    // Of all contenders kontor alone, remembering nothing, answers with these.
    return { rowCount, classes, engines, cold: engines.get('kontor') as ColdFigures }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
