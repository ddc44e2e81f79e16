import { readFileSync, writeFileSync } from 'node:fs'
import { randomOf } from '../src/demo/random.js'
import { chooseClasses } from './search-classes.js'
import { type CostsFigures, measureCosts } from './search-costs.js'
import {
  type EngineFigures,
  measureEngine,
  type SearchClasses,
  type SearchEngine,
  type TimingOptions,
} from './search-engine.js'
import { VocabularySearch } from './search-flexsearch.js'
import { Fts5 } from './search-fts5.js'
import { KontorSearch } from './search-kontor.js'
import { WordSearch } from './search-minisearch.js'
import { Scan } from './search-scan.js'
import { WordCounts } from './search-words.js'
import { categoryNames } from './searched-rows.js'

/** Rows and number of searches. */
export interface SearchRunOptions extends TimingOptions {
  readonly workspacePath: string
  /** File of the classes: the scan writes it, the others read it. */
  readonly classesPath: string
  readonly seed: number
  /** Random searches whose estimated cost is compared with their duration. */
  readonly costedCount: number
}

/** kontor's figures without a cache. */
export interface ColdFigures extends EngineFigures {
  readonly adversarial: EngineFigures
  readonly costs: CostsFigures
}

/** Contenders that only answer the classes, after the scan has chosen them. */
const ENGINES: Readonly<Record<string, (path: string) => SearchEngine | Promise<SearchEngine>>> = {
  'kontor again': KontorSearch.remembering,
  FTS5: (path) => new Fts5(path),
  FlexSearch: (path) => new VocabularySearch(path),
  MiniSearch: (path) => new WordSearch(path),
}

/** Every contender, in the order in which they have to run. */
export const CONTENDERS = ['scan', 'kontor', ...Object.keys(ENGINES)] as const

/** Runs one contender. @throws AssertionError when an answer differs from the scan's */
export async function runContender(
  name: string,
  options: SearchRunOptions,
): Promise<EngineFigures | ColdFigures> {
  const { workspacePath } = options
  if (name === 'scan') return runScan(options)
  const { compared, adversarial } = readClasses(options)
  if (name !== 'kontor') {
    const makeEngine = ENGINES[name]
    if (makeEngine === undefined) throw new Error(`there is no contender ${name}`)
    return measureEngine(await makeEngine(workspacePath), compared, options)
  }
  const kontor = await KontorSearch.cold(workspacePath)
  const { seed, costedCount: searchCount } = options
  return {
    ...measureEngine(kontor, compared, options),
    adversarial: measureEngine(kontor, adversarial, options),
    costs: measureCosts(kontor, [...compared, ...adversarial], { seed, searchCount }),
  }
}

function runScan(options: SearchRunOptions): EngineFigures {
  const { workspacePath, classesPath, seed } = options
  const words = new WordCounts()
  const scan = new Scan(workspacePath, (row) => words.add(row))
  const classes = chooseClasses({
    scan,
    words,
    categoryNames: categoryNames(workspacePath),
    random: randomOf(seed),
  })
  writeFileSync(classesPath, JSON.stringify(classes))
  return measureEngine(scan, classes.compared, options)
}

function readClasses({ classesPath }: SearchRunOptions): SearchClasses {
  return JSON.parse(readFileSync(classesPath, 'utf8')) as SearchClasses
}
