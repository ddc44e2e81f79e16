import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { type Test, test } from 'tap'
import { type DemoOptions, fillDemo, isUntouched } from '../../src/demo/fill.js'
import { isBic, isIban } from '../../src/iban.js'
import { formatInstant, parseDay } from '../../src/instant.js'
import { DEMO_TRANSACTIONS_MAX } from '../../src/limits.js'
import { formatAmount } from '../../src/money.js'
import type { AccountRow, CategoryRow, TransactionRow } from '../../src/store/columns.js'
import { WorkspaceFile } from '../../src/store/sqlite/workspace-file.js'

interface Rows {
  readonly accounts: readonly AccountRow[]
  readonly categories: readonly CategoryRow[]
  readonly transactions: readonly TransactionRow[]
}

async function filled(t: Test, options: DemoOptions, name = 'demo'): Promise<Rows> {
  const file = WorkspaceFile.open(join(t.testdirName, `${name}.db`))
  try {
    t.equal(await fillDemo(file, options), options.transactions)
    t.equal(file.fault(), undefined)
    const transactions = [...file.transactionsOldestFirst()]
    return { accounts: file.accounts(), categories: file.categories(), transactions }
  } finally {
    file.close()
  }
}

function digest(rows: Rows): string {
  return createHash('sha256').update(JSON.stringify(rows)).digest('hex')
}

function cents(row: TransactionRow): number {
  return row.amountUnscaled * 10 ** (2 - row.amountScale)
}

test('equal seeds give equal files, other seeds different ones', async (t) => {
  t.testdir()
  const first = digest(await filled(t, { transactions: 3_000, seed: 11 }, 'a'))
  t.equal(digest(await filled(t, { transactions: 3_000, seed: 11 }, 'b')), first)
  t.not(digest(await filled(t, { transactions: 3_000, seed: 12 }, 'c')), first)
  const endsOn = parseDay('2020-02-29') ?? 0
  const earlier = await filled(t, { transactions: 3_000, seed: 11, endsOn }, 'd')
  t.ok(earlier.transactions.every(({ bookedAt }) => bookedAt !== null && bookedAt <= endsOn))
})

test('the file has the requested number of rows', async (t) => {
  t.testdir()
  for (const transactions of [1, 2, 3, 10, 21, 999, 20_000]) {
    const rows = await filled(t, { transactions, seed: 5 }, String(transactions))
    t.equal(rows.transactions.length, transactions)
    t.equal(rows.accounts.length, 4)
    t.equal(rows.categories.length, 48)
    t.ok(
      halves(rows.transactions).every((count) => count === 2),
      'both rows of a transfer are in it',
    )
  }
})

/** Number of bookings of each own transfer. */
function halves(transactions: readonly TransactionRow[]): number[] {
  const counts = new Map<string, number>()
  for (const { endToEndReference } of transactions) {
    if (!endToEndReference?.startsWith('UMB-')) continue
    counts.set(endToEndReference, (counts.get(endToEndReference) ?? 0) + 1)
  }
  return [...counts.values()]
}

test('a workspace with content stays unchanged', async (t) => {
  const file = WorkspaceFile.open(join(t.testdir(), 'demo.db'))
  t.teardown(() => file.close())
  t.ok(await isUntouched(file))
  const progress: number[] = []
  await fillDemo(file, { transactions: 10_050, seed: 1 }, (written) => progress.push(written))
  t.same(progress, [10_000])
  t.notOk(await isUntouched(file))
  const { sequence } = file.version()
  t.equal(await fillDemo(file, { transactions: 50, seed: 2 }), 0)
  t.equal(file.version().sequence, sequence, 'no row was written')
  t.equal(file.transactionCount(), 10_050)
})

test('a foreign account is enough to refuse', async (t) => {
  const file = WorkspaceFile.open(join(t.testdir(), 'demo.db'))
  t.teardown(() => file.close())
  file.insertCategory({ id: null, name: 'Eigene', parentId: null })
  t.equal(await fillDemo(file, { transactions: 5, seed: 1 }), 0)
  t.equal(file.accounts().length, 0)
})

test('counts out of range are refused', async (t) => {
  const file = WorkspaceFile.open(join(t.testdir(), 'demo.db'))
  t.teardown(() => file.close())
  for (const transactions of [0, -1, 1.5, DEMO_TRANSACTIONS_MAX + 1]) {
    await t.rejects(fillDemo(file, { transactions, seed: 1 }))
  }
  t.ok(await isUntouched(file))
})

function inRange(t: Test, value: number, [low, high]: [number, number], what: string): void {
  t.ok(value >= low && value <= high, `${what}: ${value}`)
}

test('twenty thousand rows', async (t) => {
  t.testdir()
  const rows = await filled(t, { transactions: 20_000, seed: 1 })
  const { transactions, accounts } = rows
  const share = (is: (row: TransactionRow) => boolean): number =>
    transactions.filter(is).length / transactions.length

  await t.test('codes are valid', async (t) => {
    for (const { counterpartIban, counterpartBic, creditorId } of transactions) {
      if (counterpartIban !== null && !isIban(counterpartIban)) t.fail(counterpartIban)
      if (counterpartBic !== null && !isBic(counterpartBic)) t.fail(counterpartBic)
      if (creditorId !== null && !/^DE\d{2}ZZZ\d{11}$/.test(creditorId)) t.fail(creditorId)
    }
    t.equal(new Set(transactions.map(({ counterpartName }) => counterpartName)).size > 550, true)
  })

  await t.test('ids ascend with the booking date, over about four years', async (t) => {
    let before = 0
    for (const { bookedAt } of transactions) {
      if (bookedAt === null || bookedAt < before) t.fail('earlier than the booking before it')
      before = bookedAt ?? before
    }
    t.match(formatInstant(transactions[0]?.bookedAt ?? 0), /^2022-11-0/)
    t.match(formatInstant(before), /^2026-10-30T00:00:00\.000Z$/)
    const perDay = new Map<number | null, number>()
    for (const { bookedAt } of transactions) perDay.set(bookedAt, (perDay.get(bookedAt) ?? 0) + 1)
    inRange(t, perDay.size, [1_010, 1_030], 'banking days')
    for (const count of perDay.values()) if (count < 10 || count > 35) t.fail(`${count} a day`)
  })

  await t.test('all kinds of bookings occur', async (t) => {
    const types = new Set(transactions.map(({ type }) => type))
    for (const type of [
      'KARTENZAHLUNG',
      'GUTSCHR. UEBERWEISUNG',
      'ONLINE-UEBERWEISUNG',
      'FOLGELASTSCHRIFT',
      'LASTSCHRIFTEINZUG',
      'RUECKLASTSCHRIFT',
      'LOHN GEHALT',
      'DAUERAUFTRAG',
      'DARLEHENSRATE',
      'ENTGELTABSCHLUSS',
      'ABSCHLUSS',
      'Zinsgutschrift',
      'UMBUCHUNG',
      'KREDITKARTENABRECHN.',
      'Website-Zahlung',
      'Rückzahlung',
      'Kartenumsatz',
      'BARGELDEINZAHLUNG',
    ]) {
      t.ok(types.has(type), type)
    }
    inRange(
      t,
      share(({ counterpartIban }) => counterpartIban === null),
      [0.42, 0.58],
      'name only',
    )
    inRange(
      t,
      share(({ endToEndReference }) => endToEndReference !== null),
      [0.27, 0.38],
      'references',
    )
    inRange(
      t,
      share(({ counterpartBic }) => counterpartBic !== null),
      [0.02, 0.15],
      'BICs',
    )
    inRange(
      t,
      share(({ counterpartBankName }) => counterpartBankName !== null),
      [0.01, 0.06],
      'banks',
    )
    inRange(
      t,
      share(({ mandateReference }) => mandateReference !== null),
      [0.06, 0.18],
      'mandates',
    )
    inRange(
      t,
      share(({ sepaPurposeCode }) => sepaPurposeCode === 'SALA'),
      [0.02, 0.04],
      'salaries',
    )
    inRange(
      t,
      share(({ paypalNetUnscaled }) => paypalNetUnscaled !== null),
      [0.05, 0.1],
      'PayPal',
    )
    inRange(
      t,
      share(({ originalCurrency }) => originalCurrency !== null),
      [0.02, 0.08],
      'originals',
    )
    inRange(
      t,
      share(({ purpose }) => purpose === null),
      [0.02, 0.12],
      'no purpose',
    )
    inRange(
      t,
      share(({ amountUnscaled }) => amountUnscaled === 0),
      [0.001, 0.01],
      'zero amounts',
    )
    inRange(
      t,
      share(({ accountId }) => accountId === 1),
      [0.75, 0.9],
      'current account',
    )
    inRange(
      t,
      share(({ categoryId }) => categoryId === null),
      [0.04, 0.12],
      'not filed',
    )
    inRange(
      t,
      share(({ categoryId, parentCategoryId }) => categoryId !== null && parentCategoryId === null),
      [0.08, 0.2],
      'filed broadly',
    )
    const lengths = transactions.map(({ purpose }) => purpose?.length ?? 0)
    inRange(t, Math.max(...lengths), [100, 140], 'longest purpose')
  })

  await t.test('a detailed category is below its broad one', async (t) => {
    const parents = new Map(rows.categories.map(({ id, parentId }) => [id, parentId]))
    for (const { categoryId, parentCategoryId } of transactions) {
      if (categoryId === null) t.equal(parentCategoryId, null)
      else if (parents.get(categoryId) !== parentCategoryId) t.fail(`category ${categoryId}`)
    }
    const used = new Set(transactions.map(({ categoryId }) => categoryId))
    inRange(t, used.size, [42, 49], 'categories in use')
  })

  await t.test('own transfers balance', async (t) => {
    const sides = transactions.filter((row) => row.endToEndReference?.startsWith('UMB-'))
    t.ok(sides.length > 100)
    const sums = new Map<string, number>()
    for (const row of sides) {
      const reference = row.endToEndReference ?? ''
      // A settlement of the card is booked in two currencies; in dollars both sides are equal.
      const inDollars = row.originalCurrency === 'USD'
      const unscaled = inDollars ? (row.originalAmountUnscaled ?? 0) : row.amountUnscaled
      const scale = (inDollars ? row.originalAmountScale : row.amountScale) ?? 0
      sums.set(reference, (sums.get(reference) ?? 0) + unscaled * 10 ** (2 - scale))
    }
    for (const [reference, sum] of sums) if (sum !== 0) t.fail(`${reference} leaves ${sum}`)
    t.equal(sums.size * 2, sides.length)
  })

  await t.test('balances follow from the bookings and stay plausible', async (t) => {
    const gains = new Map<number, number>()
    let lowest = 0
    for (const row of transactions) {
      const net = row.paypalNetUnscaled
      const gain = net === null ? cents(row) : net * 10 ** (2 - (row.paypalNetScale ?? 0))
      gains.set(row.accountId, (gains.get(row.accountId) ?? 0) + gain)
      if (row.accountId === 1) lowest = Math.min(lowest, 4_512_733 + (gains.get(1) ?? 0))
    }
    const opening = [4_512_733, 6_000_000, 81_244, 0]
    accounts.forEach(({ id, balanceUnscaled, balanceScale }, at) => {
      const balance = (balanceUnscaled ?? 0) * 10 ** (2 - (balanceScale ?? 0))
      t.equal(balance, (opening[at] ?? 0) + (gains.get(id) ?? 0), `account ${id}`)
      t.ok(Math.abs(balance) < 100_000_000, `account ${id}: ${balance}`)
    })
    t.ok(lowest > -5_000_000, `lowest balance ${lowest}`)
  })

  await t.test('dates are those of an importer', async (t) => {
    const endsAt = (parseDay('2026-10-31') ?? 0) + 86_400_000
    for (const { importedAt, createdAt, updatedAt, bookedAt } of transactions) {
      const hours = (importedAt - (bookedAt ?? 0)) / 3_600_000
      if (hours < 28 || hours > 30) t.fail(`${hours} h between booking and import`)
      if (createdAt !== importedAt || updatedAt < createdAt) t.fail('created, then updated')
      if (updatedAt >= endsAt) t.fail('nothing happens after the end')
    }
    inRange(
      t,
      share(({ valuedAt, bookedAt }) => valuedAt !== bookedAt),
      [0.05, 0.12],
      'other value dates',
    )
    inRange(
      t,
      share(({ updatedAt, createdAt }) => updatedAt > createdAt),
      [0.02, 0.06],
      'edited',
    )
  })

  await t.test('a rendered transaction is as long as a real one', async (t) => {
    const bytes = transactions.reduce((sum, row) => sum + renderedBytes(row, rows), 0)
    inRange(t, bytes / transactions.length, [500, 610], 'bytes a transaction')
  })
})

/**
 * The contract's Transaction through JSON.stringify; optional members without a value are left out.
 */
function renderedBytes(row: TransactionRow, { accounts, categories }: Rows): number {
  const account = accounts[row.accountId - 1]
  const category = (id: number | null): object =>
    id === null ? {} : { id, name: categories[id - 1]?.name }
  const amount = (unscaled: number | null, scale: number | null): number | undefined =>
    unscaled === null ? undefined : Number(formatAmount(unscaled, scale ?? 0))
  const paypal = {
    invoiceNumber: row.paypalInvoiceNumber ?? undefined,
    fee: amount(row.paypalFeeUnscaled, row.paypalFeeScale),
    net: amount(row.paypalNetUnscaled, row.paypalNetScale),
  }
  const text = JSON.stringify({
    id: row.id,
    accountId: row.accountId,
    account: {
      accountNumber: account?.accountNumber ?? undefined,
      name: account?.name ?? undefined,
      iban: account?.iban ?? undefined,
      bankName: account?.bankName ?? undefined,
    },
    amount: amount(row.amountUnscaled, row.amountScale),
    currency: row.currency,
    category: category(row.categoryId),
    parentCategory: category(row.parentCategoryId),
    counterpart: {
      accountNumber: row.counterpartAccountNumber ?? undefined,
      name: row.counterpartName ?? undefined,
      iban: row.counterpartIban ?? undefined,
      bic: row.counterpartBic ?? undefined,
      bankName: row.counterpartBankName ?? undefined,
      mandateReference: row.mandateReference ?? undefined,
      creditorId: row.creditorId ?? undefined,
      customerReference: row.customerReference ?? undefined,
    },
    createdAt: formatInstant(row.createdAt),
    updatedAt: formatInstant(row.updatedAt),
    importDate: formatInstant(row.importedAt),
    bookingDate: formatInstant(row.bookedAt ?? 0),
    valueDate: formatInstant(row.valuedAt ?? 0),
    type: row.type ?? undefined,
    purpose: row.purpose ?? undefined,
    endToEndReference: row.endToEndReference ?? undefined,
    originalAmount: amount(row.originalAmountUnscaled, row.originalAmountScale),
    originalCurrency: row.originalCurrency ?? undefined,
    sepaPurposeCode: row.sepaPurposeCode ?? undefined,
    primanota: row.primanota ?? undefined,
    paypal: row.paypalNetUnscaled === null ? undefined : paypal,
  })
  return Buffer.byteLength(text)
}
