import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { HiddenText } from '../../../src/mcp/tools/hidden-text.js'
import { normalForms } from '../../../src/text/normal-forms.js'
import { assertProperty } from '../../fixtures/assert-property.js'

const hidden = (name: string, text: string): string => new HiddenText(name, '#').removedFrom(text)

test('a name is hidden in other spellings and orders', async (t) => {
  for (const text of [
    'ROSA MUELLER',
    'Rosa Mu\u0308ller',
    'Müller, Rosa',
    'mueller/rosa',
    'Rosa-Muller',
    'RosaMaria Müllerin',
  ]) {
    t.equal(hidden('Rosa Müller', `an ${text}: danke`), 'an #: danke', text)
  }
  t.equal(hidden('Rosa Müller', 'Rosa und Müller'), 'Rosa und Müller', 'not adjacent')
  t.equal(hidden('Rosa Müller', 'Rosa Rosa'), 'Rosa Rosa', 'each word matches a separate one')
  t.equal(hidden('Rosa Rosalie', 'Rosalie Rosa x'), '# x')
  t.equal(hidden('Al Ib', 'also bib, ib al'), 'also bib, #', 'short words match whole ones')
  t.equal(hidden('ACME', 'ACMESHOP acme'), '#SHOP #')
  t.equal(hidden('Max', 'Maximum'), 'Maximum', 'a short name is not masked')
})

test('the legal form of a company may be missing', async (t) => {
  const name = 'Müller-Lüdenscheidt GmbH & Co. KG'
  for (const text of [
    name,
    'MUELLER-LUEDENSCHEIDT',
    'Lüdenscheidt Müller',
    'muller ludenscheidt',
  ]) {
    t.equal(hidden(name, `an ${text}: danke`), 'an #: danke', text)
  }
  t.equal(hidden(name, 'Müller GmbH'), 'Müller GmbH', 'one of two names')
  t.equal(hidden('Müller GmbH & Co. KG Bau', 'an MUELLER GMBH+CO.KG BAU: x'), 'an #: x')
  t.equal(hidden('Turnverein Süd e.V.', 'TURNVEREIN SUED, e.V.'), '#, e.V.')
  t.equal(hidden('Zoo Berlin', 'Berlin, Berlin Zoo'), 'Berlin, #')
  t.equal(hidden('Solar AG', 'SOLARSTROM, AG'), '#, AG')
  t.equal(hidden('DB AG', 'DB Fernverkehr, DB AG'), 'DB Fernverkehr, #', 'the rest is too short')
})

/** Whether some order of the words equals the sequence: tries all orders. */
function isInSomeOrder(words: readonly string[], span: readonly string[]): boolean {
  const [first, ...rest] = words
  if (first === undefined) return true
  return span.some((word, i) => {
    const isThere =
      holds(normalForms(word).first, normalForms(first).first) ||
      holds(normalForms(word).second, normalForms(first).second)
    return isThere && isInSomeOrder(rest, span.toSpliced(i, 1))
  })
}

function holds(word: string, part: string): boolean {
  return word === part || (part.length >= 4 && word.includes(part))
}

function hiddenNaively(name: readonly string[], words: readonly string[]): string[] {
  const reply: string[] = []
  for (let i = 0; i < words.length; ) {
    const span = words.slice(i, i + name.length)
    const isName = span.length === name.length && isInSomeOrder(name, span)
    reply.push(isName ? '#' : (words[i] ?? ''))
    i += isName ? name.length : 1
  }
  return reply
}

test('the words of a name are masked where they are adjacent', async (t) => {
  const word = fc.constantFrom('rosa', 'Rosalie', 'ÄSE', 'aese', 'ase', 'käse', 'kaesekuchen', 'b')
  let hiddenCount = 0
  assertProperty(
    fc.property(
      fc.array(word, { minLength: 2, maxLength: 4 }),
      fc.array(word, { maxLength: 12 }),
      (name, words) => {
        // `b b` is too short for a search.
        fc.pre(name.join(' ').length >= 4)
        const wanted = hiddenNaively(name, words)
        // In a text with commas no name of several words occurs as written.
        assert.deepEqual(
          hidden(name.join(' '), words.join(', ')).split(', '),
          words.length === 0 ? [''] : wanted,
        )
        if (wanted.includes('#')) hiddenCount += 1
      },
    ),
    { numRuns: 1_000 },
  )
  t.ok(hiddenCount > 100, `${hiddenCount} names masked`)
})
