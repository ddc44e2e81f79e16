// The questions of the evaluation's report seeds, and a workspace whose newest rows contain the
// references. The questions themselves must not be read (match-eval/run.ts).
import { strict as assert } from 'node:assert'
import { Database } from '../src/store/sqlite/sqlite-driver.js'
import type { Candidate, MatchTexts } from './match-eval/candidate.js'
import { type EvaluationSet, makeEvaluationSet } from './match-eval/evaluation-set.js'
import { SEEDS } from './match-eval/run.js'

/** A query with its noise class. */
export interface ClassedQuery {
  /** The noise class. */
  readonly group: string
  readonly query: string
}

/** The queries, and the texts that the window has to contain. */
export interface PlantedQueries {
  readonly questions: readonly ClassedQuery[]
  readonly texts: readonly MatchTexts[]
}

/** Rows against which references are checked for collisions, as many as in the evaluation. */
const BACKGROUND_ROWS_MAX = 20_000

/** The questions of all report seeds. @param rowCount of the window */
export async function plantedQueries(rowCount: number): Promise<PlantedQueries> {
  const share = Math.floor(rowCount / SEEDS.report.length) // room for the texts of each set
  const options = { rowCount: Math.min(share, BACKGROUND_ROWS_MAX), statements: [] }
  const sets: EvaluationSet[] = []
  for (const seed of SEEDS.report) sets.push(await makeEvaluationSet({ ...options, seed }))
  return {
    questions: sets.flatMap((set) => set.questions.map(({ group, query }) => ({ group, query }))),
    texts: sets.flatMap(textsPlanted),
  }
}

/** The planted texts, which come first in a set. */
function textsPlanted({ candidates, questions }: EvaluationSet): MatchTexts[] {
  const places = questions.flatMap(({ trueAt, decoysAt }) => [...trueAt, ...decoysAt])
  const count = places.reduce((most, place) => Math.max(most, place + 1), 0)
  return candidates.slice(0, count).map(({ texts }) => texts)
}

const NEWEST_FIRST = `FROM transactions
  ORDER BY booking_date IS NULL, booking_date DESC, id DESC LIMIT ?`

const TEXT_COLUMNS: Readonly<Record<keyof MatchTexts, string>> = {
  purpose: 'purpose',
  endToEndReference: 'end_to_end_reference',
  customerReference: 'customer_reference',
  mandateReference: 'mandate_reference',
  primanota: 'primanota',
  paypalInvoiceNumber: 'paypal_invoice_number',
}

/** Replaces the texts of other rows, spread over the newest `windowRows`. */
export function plantTexts(path: string, texts: readonly MatchTexts[], windowRows: number): void {
  const file = new Database(path)
  try {
    const ids = file.prepare(`SELECT id ${NEWEST_FIRST}`).pluck().all(windowRows) as number[]
    assert(texts.length <= ids.length, `${texts.length} texts need as many rows`)
    const columns = Object.entries(TEXT_COLUMNS)
    const values = columns.map(([name, column]) => `${column} = @${name}`).join(', ')
    const update = file.prepare(`UPDATE transactions SET ${values} WHERE id = @id`)
    const step = ids.length / texts.length
    file.transaction(() => {
      for (const [i, text] of texts.entries()) {
        update.run({ ...text, id: ids[Math.floor(i * step)] })
      }
    })()
  } finally {
    file.close()
  }
}

/** A row of the window. */
export interface WindowRow extends Candidate {
  readonly id: number
}

/** The newest rows of a file, newest first: the window of a match, read by plain SQL. */
export function readWindow(path: string, windowRows: number): WindowRow[] {
  const columns = Object.entries(TEXT_COLUMNS).map(([name, column]) => `${column} AS ${name}`)
  const file = new Database(path, { readonly: true })
  try {
    const rows = file.prepare(`SELECT id, ${columns.join(', ')} ${NEWEST_FIRST}`).all(windowRows)
    // The columns are the six texts and the id.
    return (rows as (MatchTexts & { id: number })[]).map(({ id, ...texts }) => ({ id, texts }))
  } finally {
    file.close()
  }
}
