import { test } from 'tap'
import { runWork } from '../../../src/store/sqlite/run-work.js'
import { all, count, first, hold, insert, run, type Work } from '../../../src/store/work.js'

/** Runs work over an engine that answers each statement with its text. */
function answered<T>(work: Work<T>) {
  const steps: unknown[] = []
  const result = runWork(work, {
    execute: (statement) => {
      steps.push(statement)
      if (statement.sql === 'fails') throw new Error('no')
      return { rows: [{ id: statement.sql.length }], rowCount: 7 }
    },
    count: (name) => steps.push(name),
  })
  return { steps, result }
}

test('each statement is executed, and a hold passed over', async (t) => {
  const { steps, result } = answered(
    (function* (): Work<unknown> {
      yield* hold('SELECT … FOR UPDATE', { id: 1 })
      yield* count('refused')
      const found = [yield* all('a', { id: 2 }), yield* first('ab')]
      return [...found, yield* run('abc'), yield* insert('abcd', {})]
    })(),
  )
  t.same(result, [[{ id: 1 }], { id: 2 }, 7, 4])
  t.same(steps, [
    'refused',
    { sql: 'a', values: { id: 2 } },
    ...['ab', 'abc', 'abcd'].map((sql) => ({ sql, values: {} })),
  ])
})

test('the error of a statement ends the work where it stands', async (t) => {
  let isOver = false
  const failing = function* (): Work<void> {
    try {
      yield* run('fails')
    } finally {
      isOver = true
    }
  }
  t.throws(() => answered(failing()), /no/)
  t.ok(isOver)
})
