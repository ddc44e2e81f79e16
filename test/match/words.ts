// The words of a query against a twin that compares strings, word by word.
import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { textOf } from '../../src/match/chunks.js'
import { compactFields } from '../../src/match/fields.js'
import { parseReference } from '../../src/match/reference.js'
import type { WordUnit } from '../../src/match/word-units.js'
import { WordRuns } from '../../src/match/words.js'
import { editDistance } from '../../src/text/nearest.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { fieldsWith } from '../fixtures/fields-with.js'
import { wordQueries, wordTexts } from '../fixtures/word-texts.js'

/** Words of a text: runs of letters, with hyphens in them, or with a blank. */
function naiveRuns(text: string): string[] {
  return [...text.matchAll(/[A-Z]+/g)].flatMap(({ 0: run, index }) => {
    const [joined = ''] = /^[A-Z]+(?:-[A-Z]+)*/.exec(text.slice(index)) ?? []
    const [divided = ''] = /^[A-Z]+(?: [A-Z]+)?/.exec(text.slice(index)) ?? []
    return [run, joined.replaceAll('-', ''), divided.replace(' ', '')]
  })
}

function naivePercent({ forms, joined, isMonth }: WordUnit, run: string): number {
  if (joined.some((codes) => textOf(codes, 0, codes.length) === run)) return 100
  const percents = forms.map((codes) => {
    const form = textOf(codes, 0, codes.length)
    if (form === run) return 100
    if (isMonth) return 0
    if (Math.abs(form.length - run.length) <= 1) {
      return form.length >= 5 && editDistance(form, run) === 1 ? 75 : 0
    }
    const [shorter, longer] = form.length < run.length ? [form, run] : [run, form]
    if (!longer.startsWith(shorter)) return 0
    const isHalf = shorter.length >= 5 && longer.length <= 2 * shorter.length
    if (shorter === run) return isHalf ? 85 : 0
    if (shorter.length < 3) return 0
    return isHalf ? 75 : 30
  })
  return Math.max(...percents)
}

test('the share of the words is that of comparing each with each', async (t) => {
  const seen = new Map<number, number>()
  const found = new WordRuns()
  assertProperty(
    fc.property(wordQueries, wordTexts, wordTexts, (query, purpose, customerReference) => {
      const { words } = parseReference(query)
      const { codes, gaps, offsets } = compactFields(fieldsWith({ purpose, customerReference }))
      found.clear()
      for (let field = 0; field + 1 < offsets.length; field++) {
        found.addField({ codes, gaps, from: offsets[field] ?? 0, to: offsets[field + 1] ?? 0 })
      }
      const runs = [purpose, customerReference].flatMap(naiveRuns)
      let weights = 0
      let percents = 0
      for (const word of words.units) {
        const percent = Math.max(0, ...runs.map((run) => naivePercent(word, run)))
        weights += word.weight
        percents += word.weight * percent
        seen.set(percent, (seen.get(percent) ?? 0) + 1)
      }
      assert.equal(found.shareOf(words, codes), Math.floor(percents / weights))
    }),
    { numRuns: 10_000 },
  )
  for (const percent of [0, 30, 75, 85, 100]) {
    const count = seen.get(percent) ?? 0
    t.ok(count > 20, `${count} words with ${percent} percent`)
  }
})
