// Compares the sums of an imported file with its balances in the obvious way: a twin of the proof
// in src/statements/import/.
import type { Amount } from '../../src/money.js'
import type { StatementEvent, StatementTransaction } from '../../src/statements/statement.js'

/** Whether a balance of the file contradicts its rows. */
export function isContradicted(events: readonly StatementEvent[]): boolean {
  const statements = statementsOf(events)
  return statements.some(isWrongStatement) || isWrongTable(statements)
}

/** The events of each statement, without statements whose key marks a repetition. */
function statementsOf(events: readonly StatementEvent[]): StatementEvent[][] {
  const keys = new Set<string>()
  const statements: StatementEvent[][] = [[]]
  let isRepeated = false
  for (const event of events) {
    if (event.kind === 'account') {
      isRepeated = event.statementKey !== undefined && keys.has(event.statementKey)
      if (event.statementKey !== undefined) keys.add(event.statementKey)
      statements.push([])
    }
    if (!isRepeated) statements.at(-1)?.push(event)
  }
  return statements
}

function isWrongStatement(events: readonly StatementEvent[]): boolean {
  const balances = events.flatMap((event) => (event.kind === 'balance' ? [event.balance] : []))
  return [...new Set(balances.map(({ currency }) => currency))].some((currency) => {
    const own = balances.filter((balance) => balance.currency === currency)
    const opening = own.find(({ kind }) => kind === 'opening')
    const closing = own.findLast(({ kind }) => kind === 'closing')
    if (opening === undefined || closing === undefined) return false
    const rows = rowsOf(events).filter((row) => row.currency === currency)
    const closedAt =
      closing.at ?? Math.max(...rows.map(({ bookedAt, valuedAt }) => bookedAt ?? valuedAt ?? 0))
    const byValueDate = rows.filter((row) => !isValuedAfter(row, closedAt))
    return ![rows, byValueDate].some(
      (counted) =>
        units(closing.amount) ===
        counted.reduce((total, { amount }) => total + units(amount), units(opening.amount)),
    )
  })
}

/** Whether an entry is valued later than it is booked, and after the closing balance. */
function isValuedAfter({ bookedAt, valuedAt }: StatementTransaction, closedAt: number): boolean {
  return valuedAt !== undefined && valuedAt > (bookedAt ?? valuedAt) && valuedAt > closedAt
}

/** Rows that each have a balance, of a file with one account. */
function isWrongTable(statements: readonly (readonly StatementEvent[])[]): boolean {
  const events = statements.flat()
  const accounts = events.flatMap((event) => (event.kind === 'account' ? [event.account] : []))
  const names = new Set(accounts.map(({ iban, accountNumber }) => iban ?? accountNumber))
  const rows = rowsOf(events)
  const isPlain = names.size === 1 && rows.every(({ balanceAfter }) => balanceAfter !== undefined)
  return (
    isPlain &&
    [...new Set(rows.map(({ currency }) => currency))].some((currency) => {
      const own = rows.filter((row) => row.currency === currency)
      return !leads(own) && !leads([...own].reverse()) && !leadsInSomeOrder(own)
    })
  )
}

function leads(rows: readonly StatementTransaction[]): boolean {
  return rows.every((row, i) => {
    const earlier = rows[i - 1]
    return earlier === undefined || before(row) === after(earlier)
  })
}

/** Whether balances before and after rows cancel out, except the first and the last. */
function leadsInSomeOrder(rows: readonly StatementTransaction[]): boolean {
  const open = rows.map(before)
  const unmet = rows.map(after).filter((balance) => {
    const at = open.indexOf(balance)
    if (at !== -1) open.splice(at, 1)
    return at === -1
  })
  return open.length <= 1 && unmet.length <= 1
}

function after({ balanceAfter }: StatementTransaction): bigint {
  return units(balanceAfter ?? { unscaled: 0, scale: 0 })
}

function before(row: StatementTransaction): bigint {
  return after(row) - units(row.paypal?.net ?? row.amount)
}

function rowsOf(events: readonly StatementEvent[]): StatementTransaction[] {
  return events.flatMap((event) => (event.kind === 'transaction' ? [event.transaction] : []))
}

/** The amount in units of 10 ** -5, which represent every amount exactly. */
function units({ unscaled, scale }: Amount): bigint {
  return BigInt(`${unscaled}${'0'.repeat(5 - scale)}`)
}
