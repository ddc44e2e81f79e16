import { strict as assert } from 'node:assert'
import fc from 'fast-check'
import { test } from 'tap'
import { normalForms, occursIn, splitAtWhiteSpace, termsOf } from '../../src/text/normal-forms.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { searchTexts } from '../fixtures/search-texts.js'

/** Every assigned character except ideographs, which all behave alike. */
function* characters(): Generator<string> {
  for (let point = 0; point < 0x20000; point++) {
    const character = String.fromCodePoint(point)
    if (!/[\p{Cn}\p{Co}\p{Cs}\p{Ideographic}]/u.test(character)) yield character
  }
}

test('the forms equal those written down', async (t) => {
  const forms: readonly (readonly [text: string, first: string, second: string])[] = [
    ['', '', ''],
    ['Rechnung 4711', 'rechnung 4711', 'rechnung 4711'],
    ['Müller', 'muller', 'mueller'],
    ['Mu\u0308LLER', 'muller', 'mueller'],
    ['MUELLER', 'mueller', 'mueller'],
    ['ÄÖÜäöü', 'aouaou', 'aeoeueaeoeue'],
    ['ǖ Ǟ ṻ', 'u a u', 'ue ae ue'],
    ['o\u0323\u0308 u\u20dd\u0308', 'o u', 'oe ue'],
    ['ëïÿ', 'eiy', 'eiy'],
    ['äͅι', 'aι', 'aeι'],
    ['Straße STRASSE GROẞ ſ', 'strasse strasse gross s', 'strasse strasse gross s'],
    ['ΣΊΣΥΦΟΣ ς', 'σισυφοσ σ', 'σισυφοσ σ'],
    ['İ ı I i', 'i ı i i', 'i ı i i'],
    ['ﬁ ﬃ ½ ² Ａ１', 'fi ffi 1⁄2 2 a1', 'fi ffi 1⁄2 2 a1'],
    ['Ꭰꭰ ᏸᏰ ᲀв', 'ᎠᎠ ᏰᏰ вв', 'ᎠᎠ ᏰᏰ вв'],
    ['x´s', 'x s', 'x s'],
    ['\ud800ä\udc00', '\ufffda\ufffd', '\ufffdae\ufffd'],
    ['🙂', '🙂', '🙂'],
  ]
  for (const [text, first, second] of forms) {
    t.strictSame(normalForms(text), { first, second }, JSON.stringify(text))
  }
})

test('case folding equals that of the i flag in expressions, except for sharp s', async () => {
  const folds = new Map<string, string[]>()
  for (const character of characters()) {
    // Only characters that NFKD keeps: the others are equal to their parts.
    if (character.normalize('NFKD') !== character || /\p{M}/u.test(character)) continue
    const { first } = normalForms(character)
    if (/[ßẞ]/.test(character)) assert.equal(first, 'ss')
    else folds.set(first, [...(folds.get(first) ?? []), character])
  }
  for (const [fold, characters] of folds) {
    for (const character of characters) {
      const quoted = `\\u{${character.codePointAt(0)?.toString(16)}}`
      assert.match(fold, new RegExp(`^${quoted}$`, 'iu'), `${quoted} becomes its equal`)
    }
  }
  // Equal characters stay equal: lower and upper case of each give the same.
  for (const [fold] of folds) {
    if (fold === 'ı') continue
    for (const other of [fold.toLowerCase(), fold.toUpperCase()]) {
      const simple = [...other].length === 1 && !/\p{M}/u.test(other.normalize('NFKD'))
      if (simple) assert.equal(normalForms(other).first, fold, `${fold} and ${other}`)
    }
  }
})

test('every character has equal first and second forms unless it is an umlaut', async () => {
  for (const character of characters()) {
    const { first, second } = normalForms(character)
    const umlaut =
      /[aou]/i.test(character.normalize('NFKD')) && character.normalize('NFKD').includes('\u0308')
    assert.equal(first !== second, umlaut, character)
    assert.equal(normalForms(first).first, first, `the form of a form of ${character}`)
    assert.doesNotMatch(second, /\p{M}/u)
  }
})

test('words are normalized independently of each other', async () => {
  assertProperty(
    fc.property(searchTexts, searchTexts, (a, b) => {
      const { first, second } = normalForms(`${a} ${b}`)
      const [left, right] = [normalForms(a), normalForms(b)]
      assert.deepEqual(
        { first, second },
        {
          first: `${left.first} ${right.first}`,
          second: `${left.second} ${right.second}`,
        },
      )
      assert.deepEqual(termsOf(`${a} ${b}`), [...termsOf(a), ...termsOf(b)])
    }),
  )
})

test('terms are the texts between white space of any kind', async (t) => {
  t.strictSame(
    termsOf(' a\tb\nc\u00a0d\u3000e\u2003f\u0085g\u2028h\u1680i\u00b4j ').map((term) => term.first),
    [...'abcdefghij'],
  )
  t.strictSame(termsOf('Über due'), [
    { first: 'uber', second: 'ueber' },
    { first: 'due', second: 'due' },
  ])
  t.strictSame(termsOf(' \t\u3000'), [])
  t.strictSame(termsOf(''), [])
  t.strictSame(splitAtWhiteSpace('a\ufeffb c'), ['a\ufeffb', 'c'])
})

test('a term occurs in a text in one of the forms', async (t) => {
  const occurs = (text: string, query: string) =>
    termsOf(query).every((term) => occursIn(text, term))
  for (const query of ['Müller', 'MUELLER', 'muller', 'mÜll', 'ü', 'uel']) {
    t.ok(occurs('Herr Müller', query), query)
  }
  t.ok(occurs('MUELLER', 'Müller'))
  t.notOk(occurs('muller', 'mueller'))
  t.notOk(occurs('du', 'due'))
  t.ok(occurs('due', 'dü'))
  t.notOk(occurs('RE 47 11', '4711'))
  t.ok(occurs('DE89370400440532013000', 'de89 3704 0044'))
})

test('no character expands to more than a few, and U+FDFA stays itself', async (t) => {
  t.same(normalForms('\ufdfa\ufdfb'), { first: '\ufdfa\ufdfb', second: '\ufdfa\ufdfb' })
  t.same(normalForms('Ä\ufdfaÖ'), { first: 'a\ufdfao', second: 'ae\ufdfaoe' })
  let longest = 0
  for (let point = 0; point <= 0x10ffff; point++) {
    const { first, second } = normalForms(String.fromCodePoint(point))
    longest = Math.max(longest, first.length, second.length)
  }
  t.equal(longest, 7)
})
