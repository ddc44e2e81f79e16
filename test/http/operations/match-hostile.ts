// Costly queries over rows that make them costly: an answer or 503, never a fault, and requests of
// other callers are answered earlier.
import { strict as assert } from 'node:assert'
import { test } from 'tap'
import { WORST_QUERIES } from '../../../bench/match-worst.js'
import { FIELD_CODE_POINTS_MAX } from '../../../src/statements/statement.js'
import { SAMPLE, transactionRow } from '../../fixtures/sample-workspace.js'
import { bodyOf, outcomeOf, overEngines, overOneEngine } from '../../fixtures/service.js'

/** Less than many of these matches take, more than a usual one. */
const BUDGET_MS = 50

function filled(text: string): string {
  return text.repeat(FIELD_CODE_POINTS_MAX).slice(0, FIELD_CODE_POINTS_MAX)
}

const LONG_TEXTS = [
  ...['1', '0', '12', '2024', '20 ', '1 ', '24;', 'O0', 'A1', 'e', 'en ', 'Rechnung '],
  ...['\u0301', '2\u0301', '\u202e', '2\u202e0', '\ufdfa', '1/2/', '01.02.2024 '],
].map(filled)

/** Each text in every field of a few rows, and in the purpose of some more. */
const HOSTILE = {
  ...SAMPLE,
  transactions: Array.from({ length: 15 * LONG_TEXTS.length }, (_, i) => {
    const text = LONG_TEXTS[i % LONG_TEXTS.length] ?? ''
    const purpose = { purpose: text }
    if (i >= 2 * LONG_TEXTS.length) return transactionRow(i + 1, 1, purpose)
    return transactionRow(i + 1, 1, {
      ...{ ...purpose, endToEndReference: text, customerReference: text, mandateReference: text },
      ...{ primanota: text, paypalInvoiceNumber: text },
    })
  }),
}

/** The few rows with every field full: fewer than the number scored on the main thread. */
const FEW = { ...HOSTILE, transactions: HOSTILE.transactions.slice(0, 2 * LONG_TEXTS.length) }

/** Fewer still, which are loaded sooner: with digits only. */
const DIGITS = { ...HOSTILE, transactions: HOSTILE.transactions.slice(0, 4) }

test(
  'hostile queries over hostile rows: an answer or 503, and never a fault',
  overOneEngine(
    async (t, service) => {
      const outcomes: Record<string, number> = {}
      for (const [workspaceId, rows] of Object.entries({ few: FEW, many: HOSTILE })) {
        await service.write(workspaceId, rows)
        const { key } = await service.newKey(workspaceId)
        const root = `/v1/${workspaceId}`
        // On a busy machine a request does not wait until such rows are loaded.
        await service.until(async () => {
          return (await service.ask(`${root}/accounts`, { key })).status === 200
        })
        for (const { name, query } of WORST_QUERIES) {
          for (const more of ['', '&threshold=0&explain=true&limit=50']) {
            const target = `${root}/transactions/match?query=${encodeURIComponent(query)}${more}`
            const reply = await service.ask(target, { key })
            const outcome = outcomeOf(reply)
            assert.match(outcome, /^(200|503 budget_exceeded)$/, `${name}${more}`)
            outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
          }
        }
      }
      t.ok((outcomes['200'] ?? 0) > 0, JSON.stringify(outcomes))
      t.same(
        service.log.filter((line) => line.startsWith('fault')),
        [],
      )
    },
    { matchBudgetMs: BUDGET_MS },
  ),
)

test(
  'a list is answered before a costly match that was requested earlier',
  overEngines(async (t, service) => {
    await service.write('few', DIGITS)
    const { key } = await service.newKey('few')
    t.equal((await service.ask('/v1/few/accounts', { key })).status, 200)
    const query = encodeURIComponent('1'.repeat(256))
    const target = `/v1/few/transactions/match?threshold=0&limit=50&query=${query}`
    const order: string[] = []
    const match = service.ask(target, { key }).then((reply) => {
      order.push('match')
      return reply
    })
    // On a separate connection, so that it waits for the event loop only.
    for (let i = 0; i < 3; i++) {
      t.equal((await service.ask('/v1/few/accounts', { key })).status, 200)
      order.push('list')
    }
    const reply = await match
    t.equal(outcomeOf(reply), '200')
    t.equal((bodyOf(reply) as unknown[]).length, DIGITS.transactions.length)
    t.same(order, ['list', 'list', 'list', 'match'])
  }),
)
