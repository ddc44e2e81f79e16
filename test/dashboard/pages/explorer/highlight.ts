import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import {
  type ExcerptText,
  excerptOf,
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
    { numRuns: 10_000 },
  )
  t.ok(markedCount > 400, `${markedCount} with a mark`)
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

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

test('a row shows the part of a long text that has the first span', async (t) => {
  const part = fc.oneof(fc.constantFrom('x', '😀', 'é'), fc.constant('ab '.repeat(400)))
  const texts = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
  let farCount = 0
  assertProperty(
    fc.property(texts, fc.nat(), fc.integer({ min: 1, max: 40 }), (text, from, length) => {
      const start = from % text.length
      const span = { start, end: Math.min(text.length, start + length) }
      const shown = excerptOf(text, [span])
      assert(shown.text.length <= MARKED_UNITS_MAX)
      const at = text.length === shown.text.length ? 0 : placeOf(text, shown, span)
      assert.equal(text.slice(at, at + shown.text.length), shown.text)
      assert.equal(shown.isCutBefore, at > 0)
      assert.equal(shown.isCutAfter, at + shown.text.length < text.length)
      assert(!LONE_SURROGATE.test(shown.text), 'no surrogate pair is cut')
      if (at > 0) farCount += 1
    }),
    { numRuns: 3_000 },
  )
  t.ok(farCount > 100, `${farCount} texts are cut before`)
  const long = `${'x'.repeat(MARKED_UNITS_MAX - 1)}😀 end`
  const { text, isCutBefore, isCutAfter } = excerptOf(long, [])
  t.same([text.length, isCutBefore, isCutAfter], [MARKED_UNITS_MAX - 1, false, true])
})

/** The offset of an excerpt in its text, by the span that both have. */
function placeOf(text: string, shown: ExcerptText, span: Span): number {
  const [found] = shown.spans
  assert(found !== undefined, 'the span is shown')
  const marked = shown.text.slice(found.start, found.end)
  assert.equal(marked, text.slice(span.start, span.start + marked.length))
  return span.start - found.start
}
