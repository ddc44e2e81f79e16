import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { respelled, SLIPS, slipped } from '../../bench/typing-slips.js'
import { randomOf } from '../../src/demo/random.js'
import { FAR } from '../../src/suggestions/closeness.js'
import {
  isSuggestible,
  SuggestionIndex,
  wordsOfPurpose,
} from '../../src/suggestions/suggestion-index.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { naiveCloseness } from '../fixtures/naive-suggestions.js'

function indexOf(names: readonly string[]): SuggestionIndex {
  const index = new SuggestionIndex()
  for (const name of names) {
    index.beginRow()
    index.addCounterpart(name)
  }
  assert.equal(index.settle(), true)
  return index
}

const EVERYTHING = 1_000

function found(index: SuggestionIndex, query: string, enough = EVERYTHING): string[] {
  return index.candidates(query, enough, EVERYTHING).map(({ text }) => text)
}

const word = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', 'e', 'ü', 'ß'),
  minLength: 1,
  maxLength: 8,
})
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))

test('every text within one edit of one word is found, and nothing that is far', async (t) => {
  const counts = { near: 0, far: 0 }
  assertProperty(
    fc.property(
      fc.array(name, { minLength: 1, maxLength: 30, size: 'max' }),
      word,
      (names, query) => {
        const index = indexOf(names)
        const candidates = index.candidates(query, EVERYTHING, EVERYTHING)
        const texts = new Set(candidates.map(({ text }) => text))
        for (const text of new Set(names)) {
          const closeness = naiveCloseness(query, text)
          if (closeness > 3) counts.far += 1
          if (closeness > 3) continue
          counts.near += 1
          // A text that differs in case or accents alone may stand for it.
          const isFound = candidates.some((one) => one.closeness === closeness) || texts.has(text)
          assert.ok(isFound, `${query} finds ${text}`)
        }
        for (const { text, closeness } of candidates) {
          assert.equal(closeness, naiveCloseness(query, text))
          assert.notEqual(closeness, FAR)
        }
        const order = candidates.map(({ closeness }) => closeness)
        assert.deepEqual(
          order,
          order.toSorted((a, b) => a - b),
        )
      },
    ),
    { numRuns: 400 },
  )
  t.ok(counts.near > 300 && counts.far > 300, `${counts.near} near, ${counts.far} far`)
})

test('the more frequent one of texts that are as near comes first', async (t) => {
  const index = indexOf(['Frey Bau', 'Frey Holz', 'Frey Holz', 'Frei', 'FREY HOLZ', 'Meier'])
  t.same(found(index, 'frey'), ['Frey Holz', 'Frey Bau', 'Frei'])
  t.same(found(index, 'fre'), ['Frey Holz', 'Frey Bau', 'Frei'])
})

test('names of several words are found with slips in each, or two in one', async (t) => {
  const index = indexOf(['Anna Kellermann', 'Anna Kallmeier', 'Ina Keller', 'Otto Weber GmbH'])
  t.same(found(index, 'ana kelermann'), ['Anna Kellermann'])
  t.same(found(index, 'anna klelermnan'), ['Anna Kellermann'])
  t.same(found(index, 'anna ke'), ['Anna Kellermann', 'Anna Kallmeier', 'Ina Keller'])
  t.same(found(index, 'weber gmbh'), ['Otto Weber GmbH'])
  t.same(found(index, 'otto gmbh weber'), [])
})

test('what is added later is found once it is settled', async (t) => {
  const index = indexOf(['Alpha'])
  index.beginRow()
  index.addPurpose('Rechnung Betaflight RE-2024 X1betaX')
  index.addName('category', 'Beta')
  t.same(found(index, 'beta'), [])
  t.equal(index.settle(1), false)
  t.equal(index.settle(), true)
  t.same(index.candidates('beta', 8, 8), [
    { kind: 'category', text: 'Beta', closeness: 0 },
    { kind: 'word', text: 'Betaflight', closeness: 1 },
  ])
  t.ok(index.byteCount > indexOf(['Alpha']).byteCount)
})

test('words of purposes have three letters and no digit; names have a letter', async (t) => {
  t.same(wordsOfPurpose('SVWZ+Miete/Mai Nr. 7 RE-42-Bau an Müller-Lüdenscheidt\nd\u0308oof'), [
    ...['SVWZ', 'Miete', 'Mai', 'Müller', 'Lüdenscheidt', 'd\u0308oof'],
  ])
  const texts: readonly (readonly [text: string, isSuggestible: boolean])[] = [
    ['1&1 Telecom', true],
    ['4711', false],
    ['', false],
    ['a\tb', false],
    ['\ud800a', false],
    ['ä'.repeat(64), true],
    ['ä'.repeat(65), false],
    ['𝔞'.repeat(64), true],
    ['𝔞'.repeat(65), false],
  ]
  for (const [text, is] of texts) t.equal(isSuggestible(text), is, JSON.stringify(text))
})

test('ASCII bytes are read as the same text is', async () => {
  const texts = fc.string({
    unit: fc.constantFrom('a', 'B', 'z', ' ', '1', '-', '/', '@', '[', '`'),
  })
  assertProperty(
    fc.property(fc.array(texts, { maxLength: 8, size: 'max' }), (purposes) => {
      const [byText, byBytes] = [new SuggestionIndex(), new SuggestionIndex()]
      for (const purpose of purposes) {
        const bytes = Buffer.from(`<${purpose}>`)
        byText.beginRow()
        byText.addPurpose(purpose)
        byText.addCounterpart(purpose)
        byBytes.beginRow()
        byBytes.addAsciiPurpose(bytes, 1, bytes.length - 1)
        byBytes.addAsciiCounterpart(bytes, 1, bytes.length - 1)
      }
      byText.settle()
      byBytes.settle()
      for (const query of ['a', 'b', 'z', 'az', 'bza']) {
        const expected = byText.candidates(query, EVERYTHING, EVERYTHING)
        assert.deepEqual(byBytes.candidates(query, EVERYTHING, EVERYTHING), expected)
      }
    }),
  )
})

test('slips in generated names are forgiven', async (t) => {
  const random = randomOf(7)
  const letters = [...'bdfghklmnprstwz']
  const syllable = (): string => random.pick(letters) + random.pick([...'aeiou', 'ü', 'ei', 'ann'])
  const part = (): string => Array.from({ length: random.between(2, 4) }, syllable).join('')
  const names = Array.from({ length: 3_000 }, () => `${part()} ${part()}`)
  const index = indexOf(names)
  const known = new Set(names)
  const recallOf = (slip: (text: string) => string | undefined): number => {
    let hits = 0
    let count = 0
    for (const text of names.slice(0, 600)) {
      const query = slip(text)
      if (query === undefined || known.has(query)) continue
      count += 1
      if (index.candidates(query, 5, 5).some((candidate) => candidate.text === text)) hits += 1
    }
    return hits / count
  }
  const once = (text: string): string | undefined => slipped(text, random.pick(SLIPS), random)
  t.ok(recallOf(once) >= 0.99, 'one slip')
  t.ok(recallOf((text) => once(once(text) ?? text)) >= 0.95, 'two slips')
  t.ok(recallOf((text) => respelled(text, random)) >= 0.99, 'umlauts and double letters')
})
