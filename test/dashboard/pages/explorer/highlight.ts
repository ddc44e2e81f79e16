import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  MARKED_PLACES_MAX,
  MARKED_UNITS_MAX,
  type Span,
  spanOfText,
  spansOf,
} from '../../../../src/dashboard/pages/explorer/highlight.js'
import { normalForms, occursIn, type Term, termsOf } from '../../../../src/text/normal-forms.js'
import { assertProperty } from '../../../fixtures/assert-property.js'

/**
 * Marks each character of a text on its own: by the ends of the normal forms of the text before it
 * and of the text up to its end. Combining marks belong to their letter.
 */
function naiveSpans(text: string, terms: readonly Term[]): Span[] {
  const letters = [...text.matchAll(/\P{M}\p{M}*|\p{M}+/gsu)].map(({ 0: letter, index }) => ({
    start: index,
    end: index + letter.length,
  }))
  const marked = letters.filter(({ start, end }) =>
    (['first', 'second'] as const).some((form) => {
      const whole = normalForms(text)[form]
      const from = normalForms(text.slice(0, start))[form].length
      const to = normalForms(text.slice(0, end))[form].length
      return terms.some(({ [form]: term }) => {
        for (let at = 0; at + term.length <= whole.length; at++) {
          if (term === '' || !whole.startsWith(term, at)) continue
          const first = from < to && at < to && at + term.length > from
          // A character without a normal form is marked between two marked ones.
          const inside = from === to && at < from && at + term.length > from
          if (first || inside) return true
        }
        return false
      })
    }),
  )
  const spans: Span[] = []
  for (const { start, end } of marked) {
    const last = spans.at(-1)
    if (last?.end === start) spans[spans.length - 1] = { start: last.start, end }
    else spans.push({ start, end })
  }
  return spans
}

const letters = fc.constantFrom(
  ...['a', 'u', 'e', 's', 'S', 'ß', 'ü', 'U\u0308', 'Ä', 'æ', 'ﬁ', 'f', 'i', 'ı', 'ς', 'Σ', 'é'],
  ...[' ', '-', '1', '½', 'ǖ', '가', '😀', 'ａ', '\u0301', 'm', 'l', '\u00ad'],
)
const textOf = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(letters, { maxLength }).map((parts) => parts.join(''))

test('the marks are what a search finds, letter by letter', async (t) => {
  let markedCount = 0
  assertProperty(
    fc.property(textOf(24), textOf(5), (text, typed) => {
      const terms = termsOf(typed)
      const spans = spansOf(text, terms)
      assert.deepEqual(spans, naiveSpans(text, terms))
      const isFound = terms.some((term) => term.first !== '' && occursIn(text, term))
      assert.equal(spans.length > 0, isFound)
      if (isFound) markedCount += 1
    }),
    { numRuns: 20_000 },
  )
  t.ok(markedCount > 1_000, `${markedCount} with a mark`)
})

test('umlauts are found in every spelling', async (t) => {
  const marked = (text: string, typed: string): string[] =>
    spansOf(text, termsOf(typed)).map(({ start, end }) => text.slice(start, end))
  t.same(marked('Herr Müller', 'mueller'), ['Müller'])
  t.same(marked('Herr Müller', 'muller'), ['Müller'])
  t.same(marked('MUELLER KG', 'Müller'), ['MUELLER'])
  t.same(marked('Straße', 'strasse'), ['Straße'])
  t.same(marked('Straße', 'as'), ['aß'])
  t.same(marked('aaa', 'aa'), ['aaa'])
  t.same(marked('nothing here', 'else'), [])
  t.same(marked('Rechnung 42 vom', '42 rech'), ['Rech', '42'])
})

test('an exact substring is found', async (t) => {
  t.same(spanOfText('RE 2026-42', '2026'), [{ start: 3, end: 7 }])
  t.same(spanOfText('RE 2026-42', '2027'), [])
  t.same(spanOfText('RE', ''), [])
})

test('marking takes bounded time, whatever the text', async (t) => {
  const long = `${'é '.repeat(MARKED_UNITS_MAX)}end`
  t.equal(spansOf(long, termsOf('e')).length, MARKED_PLACES_MAX)
  t.same(spansOf(long, termsOf('end')), [])
  const pairs = `${'x'.repeat(MARKED_UNITS_MAX - 1)}😀`
  t.same(spansOf(pairs, termsOf('\ufffd')), [], 'no character is split')
})
