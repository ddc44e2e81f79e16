// Work on control data has the same outcomes in SQLite and in PostgreSQL.
import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import fc from 'fast-check'
import { type Test, test } from 'tap'
import { insertClient } from '../../../src/store/client-rows.js'
import { redeemCode } from '../../../src/store/grant-rows.js'
import { insertIntegration } from '../../../src/store/integration-rows.js'
import type { ControlDatabase } from '../../../src/store/postgres/control-database.js'
import { ControlFile } from '../../../src/store/sqlite/control-file.js'
import { StoreError } from '../../../src/store/store-error.js'
import { sweepExpired } from '../../../src/store/sweep.js'
import { issueTokenPair, revokeByTokenHash, rotateRefresh } from '../../../src/store/token-rows.js'
import { all, type Work } from '../../../src/store/work.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { NOW_MS } from '../../fixtures/control.js'
import {
  type AssignedIds,
  type ControlUnit,
  hashOfNumber,
  type IdKind,
  pairOf,
  someClientRow,
  someIntegrationRow,
  UNIT_GROUPS,
  type UnitArguments,
} from '../../fixtures/control-units.js'
import { migratedDatabase } from '../../fixtures/postgres.js'
import {
  addFamily,
  addFamilyWithPair,
  addParties,
  openControlDatabase,
} from '../../fixtures/postgres-control.js'

/** One engine with its ids; PostgreSQL leaves gaps where an insert was rolled back. */
interface Engine {
  readonly control: ControlFile | ControlDatabase
  readonly ids: AssignedIds
}

const STEP_MS = 2_000

type Group = keyof typeof UNIT_GROUPS

interface Call extends Omit<UnitArguments, 'at'> {
  /** Steps by which its clock is ahead; each call takes one. */
  readonly later: number
  readonly group: Group
  readonly unit: number
}

const ID_OF: Readonly<Record<string, IdKind>> = {
  grantId: 'grant',
  operatorId: 'operator',
  operator_id: 'operator',
  grant_id: 'grant',
  replacedBy: 'apiKey',
}

function engineOf(control: Engine['control']): Engine {
  return { control, ids: { apiKey: [], mcpKey: [], operator: [], grant: [] } }
}

/** The value with its ids by their order. */
function withOrdinals(value: unknown, ids: AssignedIds, kind?: IdKind): unknown {
  if (Array.isArray(value)) return value.map((item) => withOrdinals(item, ids, kind))
  if (value === null || typeof value !== 'object' || Buffer.isBuffer(value)) return value
  const members = Object.entries(value).map(([name, member]) => {
    const kindOfId = name === 'id' ? kind : ID_OF[name]
    if (typeof member !== 'number' || kindOfId === undefined) {
      return [name, withOrdinals(member, ids, kind)]
    }
    const ordinal = ids[kindOfId].indexOf(member)
    return [name, ordinal === -1 ? member : `${kindOfId} ${ordinal}`]
  })
  return Object.fromEntries(members)
}

/** Parties of several grants: generated calls alone seldom make all of them. */
function* addManyParties(): Work<void> {
  for (const a of [0, 1, 2]) yield* insertIntegration(someIntegrationRow(a, a))
  for (const a of [0, 1, 2, 3]) yield* insertClient(someClientRow(a, a % 3, a))
}

/** What comes of a unit: its result, or the kind of its error. */
async function outcomeOf({ control, ids }: Engine, unit: ControlUnit): Promise<unknown> {
  try {
    const result = await control[unit.way](unit.work)
    if (unit.isNew !== true || unit.kind === undefined) return withOrdinals(result, ids, unit.kind)
    assert(typeof result === 'number')
    ids[unit.kind].push(result)
    return 'new'
  } catch (error) {
    if (error instanceof StoreError) return 'StoreError'
    assert(error instanceof Error && error.message === 'mine', error as Error)
    return error.message
  }
}

/** All rows of the tables, in an order that both engines have; without random keys. */
function* allRows(): Work<unknown> {
  const tables: unknown[] = []
  for (const [columns, table] of [
    ['grant_id, redirect_uri, challenge, expires_at, used_at', 'codes'],
    ['hash, operator_id, created_at, expires_at', 'sessions'],
    [
      'grant_id, generation, access_hash, refresh_hash, access_scope, created_at, used_at',
      'tokens',
    ],
    ['minute, likeness, times', 'refusals'],
    ['sequence, at, actor, action, subject, workspace_id, outcome, detail', 'audit'],
  ]) {
    tables.push(yield* all(`SELECT ${columns} FROM ${table} ORDER BY 1, 2, 3`))
  }
  return tables
}

const ARGUMENTS = {
  a: fc.nat(5),
  b: fc.nat(5),
  c: fc.nat(5),
  later: fc.nat(40),
}

function callOf(group: Group): fc.Arbitrary<Call> {
  const unit = fc.nat(UNIT_GROUPS[group].length - 1)
  return fc.record({ group: fc.constant(group), unit, ...ARGUMENTS })
}

function callsOf(groups: readonly Group[]): fc.Arbitrary<Call[]> {
  const call = fc.oneof(...groups.map(callOf))
  return fc.array(call, { minLength: 60, maxLength: 200, size: 'max' })
}

const GROUPS = Object.keys(UNIT_GROUPS) as Group[]

async function assertSame(t: Test, calls: readonly Call[], run: number): Promise<void> {
  const file = ControlFile.open(join(t.testdirName, `${run}.db`))
  const database = openControlDatabase(t, await migratedDatabase(t))
  const [one, two] = [engineOf(file), engineOf(database)]
  for (const { control } of [one, two]) await control.alone(addManyParties)
  for (const [i, { group, unit, later, ...numbers }] of calls.entries()) {
    const args = { ...numbers, at: NOW_MS + (i + later) * STEP_MS }
    const make = UNIT_GROUPS[group][unit]
    assert(make !== undefined)
    const expected = await outcomeOf(one, make(args, one.ids))
    assert.deepEqual(
      await outcomeOf(two, make(args, two.ids)),
      expected,
      `call ${i}, ${group} ${unit}`,
    )
  }
  const rows = (engine: Engine) => outcomeOf(engine, { way: 'look', work: allRows })
  assert.deepEqual(await rows(two), await rows(one))
  assert.deepEqual(database.counts, file.counts)
  file.close()
}

async function assertSameSequences(
  t: Test,
  groups: readonly Group[],
  numRuns: number,
): Promise<void> {
  t.testdir()
  let run = 0
  await assertProperty(
    fc.asyncProperty(callsOf(groups), (calls) => {
      run += 1
      return assertSame(t, calls, run)
    }),
    { numRuns },
  )
}

test('sequences of units have the same outcomes', { timeout: 240_000 }, async (t) => {
  await assertSameSequences(t, GROUPS, 6)
  for (const group of GROUPS) await assertSameSequences(t, [group], group === 'grants' ? 6 : 2)
})

/** A grant's families 1 and 2, to their ends; each with the outcome of its unit. */
const LIVES: readonly (readonly [outcome: unknown, work: () => Work<unknown>])[] = [
  [1, () => addFamily(1)],
  ['redeemed', () => redeemCode(hashOfNumber(1), NOW_MS + 1)],
  [undefined, () => issueTokenPair(1, pairOf(10, NOW_MS))],
  ['rotated', () => rotateRefresh(hashOfNumber(21), pairOf(11, NOW_MS), NOW_MS + 2)],
  ['rotated', () => rotateRefresh(hashOfNumber(23), pairOf(12, NOW_MS), NOW_MS + 3)],
  ['expired', () => rotateRefresh(hashOfNumber(25), pairOf(13, NOW_MS), NOW_MS + 300_000)],
  ['reused', () => rotateRefresh(hashOfNumber(21), pairOf(13, NOW_MS), NOW_MS + 4)],
  ['unknown', () => rotateRefresh(hashOfNumber(25), pairOf(13, NOW_MS), NOW_MS + 5)],
  ['unknown', () => redeemCode(hashOfNumber(1), NOW_MS + 6)],
  [2, () => addFamily(2)],
  ['expired', () => redeemCode(hashOfNumber(2), NOW_MS + 60_000)],
  ['reused', () => redeemCode(hashOfNumber(2), NOW_MS + 1)],
  [3, () => addFamilyWithPair(3)],
  ['rotated', () => rotateRefresh(hashOfNumber(7), pairOf(14, NOW_MS + 60_000), NOW_MS + 60_000)],
  [undefined, () => revokeByTokenHash(hashOfNumber(28), { clientId: 'c0', nowMs: NOW_MS })],
  [4, () => sweepExpired(NOW_MS + 300_000, 99)],
  [3, () => revokedGrantId(hashOfNumber(28))],
  [1, () => sweepExpired(NOW_MS + 360_000, 99)],
]

function* revokedGrantId(hash: Buffer): Work<number | undefined> {
  return (yield* revokeByTokenHash(hash, { clientId: 'c1', nowMs: NOW_MS }))?.id
}

test('codes and tokens come to the same ends', async (t) => {
  t.testdir()
  const file = ControlFile.open(join(t.testdirName, 'lives.db'))
  t.teardown(() => file.close())
  const database = openControlDatabase(t, await migratedDatabase(t))
  for (const control of [file, database]) {
    await control.alone(addParties)
    for (const [i, [expected, work]] of LIVES.entries()) {
      const result = await control.atomically(work)
      const isRecord = result !== null && typeof result === 'object' && 'outcome' in result
      t.equal(isRecord ? result.outcome : result, expected, `unit ${i}`)
    }
  }
  t.same(await database.look(allRows), file.look(allRows))
})
