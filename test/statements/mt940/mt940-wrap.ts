import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { readMt940 } from '../../../src/statements/mt940/mt940.js'
import type { Field } from '../../../src/statements/mt940/mt940-cut.js'
import { createBlankRestorer, withBlanks } from '../../../src/statements/mt940/mt940-wrap.js'
import { assertProperty } from '../../fixtures/assert-property.js'
import { plain, readAll, transactionsOf } from '../../fixtures/statement-reading.js'

const LINE = 65

/** Fields 86 as the restorer passes them on, with blanks; `end` for the end of a message. */
function restored(fields: readonly (readonly string[] | 'end')[]): (string[] | 'end')[] {
  const passed: (string[] | 'end')[] = []
  const restorer = createBlankRestorer({
    takeField: ({ lines }: Field) => passed.push(lines.map(withBlanks)),
    endMessage: () => passed.push('end'),
  })
  for (const [i, lines] of fields.entries()) {
    if (lines === 'end') restorer.endMessage(i)
    else restorer.takeField({ tag: '86', lines: [...lines], number: i })
  }
  restorer.release()
  return passed
}

const wide = (length: number, end = ''): string => `${'x'.repeat(length - end.length)}${end}`

test('a line that is one short of the width has lost a blank', async (t) => {
  const full = [wide(65), wide(65), 'x']
  t.same(restored([full, [wide(65), wide(64), 'y']])[1], [wide(65), `${wide(64)} `, 'y'])
  t.same(restored([[wide(64), wide(64), 'y'], full])[0], [`${wide(64)} `, `${wide(64)} `, 'y'])
  const tagged = [wide(61), wide(65), 'x']
  t.same(restored([tagged, [wide(60), 'y']])[1], [`${wide(60)} `, 'y'], 'the tag counts')
  t.same(restored([tagged, [wide(64), 'y']])[1], [wide(64), 'y'], 'of no width')
})

test('a width of 64 in all lines is kept', async (t) => {
  const fields = [
    [` ${wide(64)}`, wide(64), wide(64), 'x'],
    [wide(50), wide(64), 'y'],
  ]
  t.same(restored(fields), fields)
})

test('a line that is one short for another reason gets no blank', async (t) => {
  const full = [wide(65), wide(65), 'x']
  for (const [line, next] of [
    [wide(64, '?'), '21text'],
    [wide(64, '?2'), '1text'],
    [wide(64, '>'), '21text'],
    [wide(64), ''],
    [wide(64), '   '],
    [wide(64, ' '), 'y'],
    [wide(64, '00'), ':00:00'],
    [wide(64), ', y'],
    [wide(63), 'y'],
    [wide(66), 'y'],
  ] as const) {
    t.same(restored([full, [line, next]])[1], [line, next], JSON.stringify([line, next]))
  }
  const known = ['A.400143999.4', wide(64, '?2740'), '0143999, KUNDE']
  t.same(restored([full, known])[1], known, 'a number that the field repeats')
  t.same(restored([full, [wide(64, '33.444'), '12.55']])[1], [`${wide(64, '33.444')} `, '12.55'])
})

test('fields wait in order for a full line, up to a limit', async (t) => {
  const passed: number[] = []
  const restorer = createBlankRestorer({
    takeField: ({ number }) => passed.push(number),
    endMessage: (number) => passed.push(-number),
  })
  const take = (number: number, ...lines: string[]): void =>
    restorer.takeField({ tag: '86', lines, number })
  take(1, 'a', 'b')
  t.same(passed, [1], 'no ambiguous line')
  take(2, wide(64), 'b')
  restorer.takeField({ tag: '61', lines: ['x'], number: 3 })
  restorer.endMessage(4)
  t.same(passed, [1])
  take(5, wide(65), 'b')
  t.same(passed, [1, 2, 3, -4, 5])
  take(6, 'a', wide(64), 'b')
  for (let number = 7; number < 2_000; number++) take(number, 'a'.repeat(100))
  t.ok(passed.length > 1_900, 'some thousand lines decide')
  const before = passed.length
  take(2_000, 'a', wide(64), 'b')
  t.equal(passed.length, before + 1, 'and once is enough')
})

/** One text, wrapped as by a bank: at the width, without the blanks at the ends of lines. */
function wrapped(text: string, firstWidth: number): string[] {
  const lines = [text.slice(0, firstWidth)]
  for (let from = firstWidth; from < text.length; from += LINE) {
    lines.push(text.slice(from, from + LINE))
  }
  return lines.map((line, i) => (i < lines.length - 1 ? line.replace(/ $/, '') : line))
}

test('wrapped text is restored, whether the tag counts or not', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'B', '7', '-'), minLength: 1, maxLength: 9 })
  const text = fc
    .array(word, { minLength: 60, maxLength: 90 })
    .map((words) => words.join(' '))
    .filter((each) => !/[-]\d{0,1}$/.test(each))
  await assertProperty(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(61, 65),
      async (texts, firstWidth) => {
        // A field of full lines shows the width, wherever it stands.
        const whole = 'y'.repeat(firstWidth + 2 * LINE)
        const fields = [...texts, whole].map((each) => wrapped(each, firstWidth))
        const lines = restored(fields).map((each) => (each === 'end' ? each : each.join('')))
        // A number that the field repeats may have been split.
        const digits = (each: string): string => each.replace(/(?<=\d) (?=\d)/g, '')
        assert.deepEqual(lines.map(digits), [...texts, whole].map(digits))
      },
    ),
  )
})

test('a German entry is read as the bank wrote it, wherever its lines wrap', async () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'B', '7', '+'), minLength: 1, maxLength: 9 })
  const words = (count: number): fc.Arbitrary<string> =>
    fc.array(word, { minLength: count, maxLength: count }).map((each) => `W ${each.join(' ')} W`)
  /** Sub-fields of 27 characters from a number on. */
  const cut = (text: string, number: number): string =>
    (text.match(/.{1,27}/g) ?? []).map((part, i) => `?${number + i}${part}`).join('')
  await assertProperty(
    fc.asyncProperty(words(25), words(6), fc.constantFrom(61, 65), async (purpose, name, first) => {
      const details = `166?00GUTSCHRIFT?109310${cut(`SVWZ+${purpose}`, 20)}?30COBADEFFXXX`
      const text = wrapped(`${details}${cut(name.slice(0, 54), 32)}`, first).join('\n')
      const full = wrapped(`835?20${'x'.repeat(300)}`, first).join('\n')
      const outcome = await readAll(
        readMt940,
        ':20:STARTUMS\n:25:37040044/0532013000\n:28C:1/1\n:60F:C240530EUR0,\n' +
          `:61:240531C1,NMSC\n:86:${text}\n:61:240531C1,NMSC\n:86:${full}\n:62F:C240531EUR2,\n`,
      )
      const [entry] = transactionsOf(outcome)
      const folded = (each: string | undefined): string | undefined =>
        each?.replace(/(?<=\d) (?=\d)/g, '').trim()
      assert.equal(folded(entry?.purpose), folded(purpose))
      assert.equal(folded(entry?.counterpart.name), folded(name.slice(0, 54)))
    }),
  )
})

test('rebuilt lines of real files are restored', async (t) => {
  /** Of details whose first line, with the tag, would end in the blank between the two texts. */
  const entryOf = async (before: string, after: string): Promise<Record<string, unknown>> => {
    const lines = [`166?00${'U'.repeat(54 - before.length)}${before}`, after]
    const full = `:86:835?20${'x'.repeat(55)}\n${'x'.repeat(65)}\nx\n`
    const outcome = await readAll(
      readMt940,
      ':20:STARTUMS\n:25:37040044/0532013000\n:28C:1/1\n:60F:C240530EUR0,\n' +
        `:61:240531C1,NMSC\n:86:${lines.join('\n')}\n:61:240531C1,NMSC\n${full}` +
        ':62F:C240531EUR2,\n',
    )
    const [entry] = transactionsOf(outcome)
    return entry === undefined ? {} : plain(entry)
  }
  t.match(await entryOf('?20SVWZ+Bestellung Nummer.', '344?21253 DATUM 5'), {
    purpose: 'Bestellung Nummer. 344253 DATUM 5',
  })
  t.match(await entryOf('?32KREISSPK.', 'MUSTERSTADT AMSEE?33G EBERSBERG'), {
    counterpart: { name: 'KREISSPK. MUSTERSTADT AMSEEG EBERSBERG' },
  })
  t.match(await entryOf('?321u1', 'Telecom GmbH'), { counterpart: { name: '1u1 Telecom GmbH' } })
  t.match(await entryOf('?32Muster Medien GmbH', '+ Co. KG'), {
    counterpart: { name: 'Muster Medien GmbH + Co. KG' },
  })
  t.match(await entryOf('?20SVWZ+Be?21trag', '24,00 Eur'), { purpose: 'Be trag 24,00 Eur' })
  t.match(await entryOf('?20Test?21cash transfer', '2?30COBADEFFXXX'), {
    purpose: 'Test cash transfer 2',
  })
})
