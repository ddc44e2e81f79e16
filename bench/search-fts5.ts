// SQLite's FTS5 with the trigram tokenizer, over the same normalized words.
//
// One document per transaction, with the transaction's id as its rowid. One column holds the words
// that are equal in both normal forms, two more those of which there are two forms, so that a
// document contains a term exactly when the rule says so. The index is contentless (`content=''`),
// without column sizes, and merged into one b-tree after it is built; detail has to be full,
// because a phrase of trigrams needs positions. Terms of one or two letters have no trigram: LIKE
// finds them in a table of the same texts.
import { strict as assert } from 'node:assert'
import { Database } from '../src/store/sqlite/sqlite-driver.js'
import { type Term, termsOf } from '../src/text/normal-forms.js'
import {
  type Answer,
  PAGE_ROWS,
  type SearchEngine,
  type SearchQuery,
  type SearchSort,
} from './search-engine.js'
import { readSearchedRows, type SearchedRow } from './searched-rows.js'

const SCHEMA = `
  CREATE VIRTUAL TABLE search USING fts5 (
    equal, first, second,
    tokenize = 'trigram case_sensitive 1', content = '', columnsize = 0, detail = full
  );
  CREATE TABLE rows (id INTEGER PRIMARY KEY, booked_at INTEGER, text TEXT NOT NULL);
`

/** Length of the shortest term that FTS5 finds. */
const TRIGRAM_LETTERS = 3

/** A database in memory: no page is ever read from disk. */
export class Fts5 implements SearchEngine {
  readonly buildMs: number
  readonly indexBytes: number
  readonly #database = new Database(':memory:')

  constructor(path: string) {
    const database = this.#database
    database.exec(SCHEMA)
    const rows: FormColumns[] = []
    database.transaction(() => {
      const insert = database.prepare('INSERT INTO rows VALUES (?, ?, ?)')
      readSearchedRows(path, (row) => {
        const columns = columnsOf(row)
        insert.run(row.id, row.bookedAt, Object.values(columns.words).join('\n'))
        rows.push(columns)
      })
    })()
    const pagesBefore = this.#bytes()
    const startedMs = performance.now()
    database.transaction(() => {
      const insert = database.prepare(
        'INSERT INTO search (rowid, equal, first, second) VALUES (?, ?, ?, ?)',
      )
      // Ascending, the fastest order for adding documents to an FTS5 index.
      for (const { id, words } of rows.reverse()) {
        insert.run(id, words.equal, words.first, words.second)
      }
    })()
    database.exec(`INSERT INTO search (search) VALUES ('optimize')`)
    this.buildMs = performance.now() - startedMs
    this.indexBytes = this.#bytes() - pagesBefore
    database.exec('CREATE INDEX rows_by_booking ON rows (booked_at, id); ANALYZE')
  }

  /** Short terms of two forms are not in the bench, and would need a second table of texts. */
  answers({ text }: SearchQuery): boolean {
    return termsOf(text).every((term) => !isShort(term) || term.first === term.second)
  }

  answer(text: string, sort: SearchSort): Answer {
    const terms = termsOf(text)
    const long = terms.filter((term) => !isShort(term))
    const short = terms.filter(isShort).map(patternOf)
    const match = long.length === 0 ? [] : [long.map(matchOf).join(' AND ')]
    const { count, page } = statementsOf(match.length > 0, short.length, sort)
    const parameters = [...match, ...short]
    const total = this.#database.prepare(count).pluck().get(parameters) as number
    const ids = this.#database.prepare(page).pluck().all(parameters) as number[]
    return { total, ids }
  }

  #bytes(): number {
    const read = (pragma: string): number => Number(this.#database.pragma(pragma, { simple: true }))
    return (read('page_count') - read('freelist_count')) * read('page_size')
  }
}

interface FormColumns {
  readonly id: number
  readonly bookedAt: number | null
  readonly words: { readonly equal: string; readonly first: string; readonly second: string }
}

function columnsOf({ id, bookedAt, first, second }: SearchedRow): FormColumns {
  if (first === second) {
    return { id, bookedAt, words: { equal: first.join(' '), first: '', second: '' } }
  }
  assert.equal(first.length, second.length, 'both forms are split alike')
  const differs = (word: string, i: number): boolean => word !== second[i]
  const equal = first.filter((word, i) => !differs(word, i)).join(' ')
  const firsts = first.filter(differs).join(' ')
  const seconds = second.filter((word, i) => word !== first[i]).join(' ')
  return { id, bookedAt, words: { equal, first: firsts, second: seconds } }
}

function isShort({ first }: Term): boolean {
  return [...first].length < TRIGRAM_LETTERS
}

function matchOf({ first, second }: Term): string {
  if (first === second) return phraseOf(first)
  return `({equal first} : ${phraseOf(first)} OR {equal second} : ${phraseOf(second)})`
}

function phraseOf(form: string): string {
  return `"${form.replaceAll('"', '""')}"`
}

function patternOf({ first }: Term): string {
  return `%${first.replaceAll(/[\\%_]/g, '\\$&')}%`
}

function statementsOf(
  isMatched: boolean,
  shortCount: number,
  sort: SearchSort,
): { readonly count: string; readonly page: string } {
  const within = Array.from({ length: shortCount }, () => `rows.text LIKE ? ESCAPE '\\'`)
  if (isMatched && shortCount === 0 && sort === '_id') {
    const from = 'FROM search WHERE search MATCH ?'
    const page = `SELECT rowid ${from} ORDER BY rowid DESC LIMIT ${PAGE_ROWS}`
    return { count: `SELECT count(*) ${from}`, page }
  }
  const order = sort === '_id' ? 'rows.id DESC' : 'rows.booked_at DESC, rows.id DESC'
  const tables = isMatched ? 'search JOIN rows ON rows.id = search.rowid' : 'rows'
  const tests = isMatched ? ['search MATCH ?', ...within] : within
  const from = `FROM ${tables} WHERE ${tests.join(' AND ')}`
  const counted = shortCount === 0 ? 'FROM search WHERE search MATCH ?' : from
  return {
    count: `SELECT count(*) ${counted}`,
    page: `SELECT rows.id ${from} ORDER BY ${order} LIMIT ${PAGE_ROWS}`,
  }
}
