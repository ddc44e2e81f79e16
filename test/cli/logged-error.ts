import { strict as assert } from 'node:assert'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'tap'
import { loggedError, reasonOf, shownText } from '../../src/cli/logged-error.js'
import { ApiError, CommandError } from '../../src/errors.js'
import { StoreError } from '../../src/store/store-error.js'

const WITHHELD = '(withheld: it may quote data)'
const MARK = 'Mietemarke'

/** The value that running this throws. */
function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('messages that quote values are withheld, and so are their stacks', async (t) => {
  const quoting: Record<string, () => unknown> = {
    'JSON that is none': () => JSON.parse(`{"a": ${MARK}`),
    'a number that is none': () => BigInt(MARK),
    'an operator of objects': () => 'a' in (MARK as unknown as object),
    'a property of a text': () => Object.assign(Object.freeze({ [MARK]: 1 }), { [MARK]: 2 }),
    'an argument of Node.js': () => readFileSync({ [MARK]: MARK } as unknown as string),
    'a URL': () => new URL(`//${MARK}`),
    'a generated assertion': () => assert.equal(MARK, 'other'),
    'a deep assertion': () => assert.deepEqual({ a: MARK }, { a: 1 }),
    'a refusal with a parameter': () => {
      throw new ApiError('invalid_parameter', `query ${MARK} is too long`)
    },
    'a text': () => {
      throw MARK
    },
    'a class that is not known': () => {
      throw Object.assign(new Error(MARK), { name: 'OtherError' })
    },
    'lines that look like places': () => {
      throw Object.assign(new Error(`x\n    at ${MARK} (a:1:1)\n    at b`), { name: 'OtherError' })
    },
  }
  for (const [what, run] of Object.entries(quoting)) {
    const logged = loggedError(thrownBy(run))
    t.equal(logged.message, WITHHELD, what)
    t.notMatch(JSON.stringify(logged), MARK, what)
  }
})

test('messages of the program and of the operating system are logged', async (t) => {
  const missing: { of?: { amount: number } } = {}
  const shown: [() => unknown, RegExp | string][] = [
    [() => missing.of!.amount, "Cannot read properties of undefined (reading 'amount')"],
    [() => (missing as unknown as { run(): void }).run(), 'missing.run is not a function'],
    [() => new Array(-1), 'Invalid array length'],
    [() => assert(existsSync('/none'), 'the file exists'), 'the file exists'],
    [() => readFileSync('/none/none'), /^ENOENT: no such file or directory, open '\/none\/none'$/],
  ]
  for (const [run, message] of shown) t.match(loggedError(thrownBy(run)).message, message)
  t.equal(reasonOf(new ApiError('internal', 'no')), 'no')
  t.equal(reasonOf(new Error('from a thread')), 'from a thread')
})

test('a logged error has class, code, locations and causes', async (t) => {
  const cause = thrownBy(() => readFileSync('/none/none'))
  const logged = loggedError(new Error('it cannot be read', { cause }))
  t.match(logged, { type: 'Error', cause: { type: 'Error', code: 'ENOENT' } })
  t.match(logged.stack, /^at .*logged-error\.[jt]s:\d+:\d+/)
  t.notMatch(logged.stack, /it cannot be read/)
  const expected = new StoreError('w.db: there is no such file')
  t.same(loggedError(expected), { type: 'StoreError', message: 'w.db: there is no such file' })
  t.equal(loggedError(new CommandError('failed', 'no')).stack, undefined)
  const ring = new Error('ring')
  ring.cause = ring
  t.match(loggedError(ring), { cause: { cause: { cause: { cause: undefined } } } })
})

test('texts that resemble secrets or IBANs are never logged', async (t) => {
  const secret = 'A1_-'.repeat(10)
  for (const prefix of ['sk', 'mcp', 'at', 'rt', 'ac', 'cs']) {
    t.equal(shownText(`no ${prefix}-${secret} here`), `no ${prefix}-(withheld) here`)
  }
  for (const iban of ['DE89370400440532013000', 'DE89 3704 0044 0532 0130 00', 'NO9386011117947']) {
    t.equal(shownText(`account ${iban} is gone`), 'account (IBAN withheld) is gone', iban)
  }
  t.equal(shownText('/data/workspaces/w.db: SQLITE_FULL'), '/data/workspaces/w.db: SQLITE_FULL')
  t.equal(shownText('x'.repeat(2_000)).length, 501)
})
