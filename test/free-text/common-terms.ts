import { test } from 'tap'
import { chooseCommon, TEXT_COMMON_ROW_BYTES } from '../../src/free-text/common-terms.js'
import { bytesOfKey } from '../../src/free-text/grams.js'
import { bitWords } from '../../src/free-text/text-index.js'
import { indexOfRows } from '../fixtures/search-texts.js'

const rows = Array.from({ length: 640 }, (_, row) => [`gmbh ${row} Σ`, row % 2 === 0 ? 'ab' : null])
const index = indexOfRows(rows)

test('the costliest terms of whole characters have bit sets, within limited memory', async (t) => {
  const { commonKeys, commonRows } = chooseCommon(index, 1)
  const countMax = Math.floor((640 * TEXT_COMMON_ROW_BYTES) / (bitWords(640) * 4))
  t.equal(commonKeys.length, countMax)
  t.equal(commonRows.length, countMax * bitWords(640))
  t.strictSame(commonKeys, commonKeys.slice().sort())
  const texts = Array.from(commonKeys, (key) => Buffer.from(bytesOfKey(key)).toString())
  for (const text of ['1', '5', '11']) t.ok(texts.includes(text), text)
  t.notOk(
    texts.some((text) => text.includes('\ufffd')),
    'no half of a character',
  )
  const { commonKeys: few } = chooseCommon(index, 200)
  t.ok(few.length > 0 && few.length < countMax, 'none for cheap terms')
})

test('a bit set has the rows of its term', async (t) => {
  const { commonKeys, commonRows } = chooseCommon(index, 1)
  commonKeys.forEach((key, place) => {
    const text = Buffer.from(bytesOfKey(key)).toString()
    rows.forEach((fields, row) => {
      const words = fields.flatMap((field) => field?.toLowerCase().split(' ') ?? [])
      const bit = (commonRows[place * bitWords(640) + (row >>> 5)]! >>> (row & 31)) & 1
      if ((bit === 1) !== words.some((word) => word.includes(text))) t.fail(`${text}, row ${row}`)
    })
  })
  t.ok(commonKeys.length > 0)
})
