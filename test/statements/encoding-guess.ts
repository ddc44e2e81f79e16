import { strict as assert } from 'node:assert'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { test } from 'tap'
import { type CodePage, textOfBytes } from '../../src/statements/code-pages.js'
import { decodeStatement } from '../../src/statements/encoding.js'
import { guessCodePage } from '../../src/statements/encoding-guess.js'
import { assertProperty } from '../fixtures/assert-property.js'
import { piecesOf } from '../fixtures/statement-reading.js'

const WORDS = {
  german:
    'Überweisung für Müller MÜLLER Straße Größe Gehälter Löhne Gebühren über zurück Prämie März ' +
    'Beiträge Verfügung Schlüssel BÄCKEREI Bäckerei JÄGER Körner SCHÖN möglich führt Grüße ' +
    'ÖLHANDEL Zürich Köln Düsseldorf Fußball Gläubiger ÜBERTRAG Rückgabe Währung',
  french:
    'société Société règlement prélèvement échéance référence numéro crédit débit intérêts ' +
    'février août décembre créé opération réf château théâtre français reçu hôtel forêt ' +
    'être même Noël procès père après élève très',
  spanish:
    'señor España año pequeño mañana información operación débito crédito número comisión ' +
    'recibo teléfono código pensión Núñez Peña Muñoz García Fernández López Martínez nómina',
  polish:
    'płatność przelew wypłata opłata należność własny złotych miesięczna składka ubezpieczenie ' +
    'Łódź Gdańsk Kraków źródło część środki ŻABKA świadczenie księgowanie żółty rachunków',
  hungarian:
    'átutalás jóváírás számla díj közlemény jóváírása csoportos fizetés könyvelés időszak ' +
    'összeg értéknap ügyfél költség hitelező kedvezményezett első második műhely fűtés BŐR',
  czech:
    'účtu částka číslo úhrada příjem zpráva zůstatek měna splátka poplatků převod výběr šek ' +
    'Praha Plzeň Třebíč Žďár město ěščř daň koruna trvalý příkaz',
} as const
type Language = keyof typeof WORDS

/** Words with a letter other than a to z, encoded; each letter must be one of the code page. */
function wordsOf(language: Language): string[] {
  return [...new Set(WORDS[language].split(/\s+/))].filter((word) => /[^ -~]/.test(word))
}

function bytesOf(text: string, codePage: CodePage): Buffer {
  const byteOf = new Map<string, number>()
  for (let byte = 0x80; byte <= 0xff; byte += 1) {
    byteOf.set(textOfBytes(String.fromCharCode(byte), codePage), byte)
  }
  return Buffer.from(
    [...text].map((character) => {
      const byte = character < '\u{80}' ? character.charCodeAt(0) : byteOf.get(character)
      if (byte === undefined) throw new Error(`${codePage} has no ${character}`)
      return byte
    }),
  )
}

async function decoded(bytes: Uint8Array): Promise<{ text: string; guesses: string[] }> {
  const guesses: string[] = []
  let text = ''
  const onGuess = (sentence: string): void => void guesses.push(sentence)
  for await (const piece of decodeStatement(piecesOf([bytes]), 'mt940', { onGuess })) text += piece
  return { text, guesses }
}

const LANGUAGES_OF: readonly [CodePage, readonly Language[]][] = [
  ['cp850', ['german', 'french', 'spanish']],
  ['cp437', ['german', 'french', 'spanish']],
  ['macintosh', ['german', 'french', 'spanish']],
  ['cp852', ['german', 'polish', 'hungarian', 'czech']],
]

/** In Mac Roman ó, ñ and í are dashes and an apostrophe of windows-1252: they prove nothing. */
function wordCountMin(codePage: CodePage, words: readonly string[]): number {
  return codePage === 'macintosh' && words.includes('señor') ? words.length : 16
}

test('sixteen words of a language in an old code page are read correctly', async () => {
  for (const [codePage, languages] of LANGUAGES_OF) {
    for (const language of languages) {
      const words = wordsOf(language)
      const minLength = wordCountMin(codePage, words)
      await assertProperty(
        fc.asyncProperty(
          fc.shuffledSubarray(words, { minLength }),
          fc.constantFrom(' ', '\r\n:86:', '/', '+', ';'),
          async (some, separator) => {
            const text = some.join(separator)
            const { text: found, guesses } = await decoded(bytesOf(text, codePage))
            assert.equal(found, text, `${codePage} ${language}`)
            assert.equal(guesses.length, 1)
            assert.match(guesses[0] ?? '', /^the encoding is guessed: .*--encoding windows-1252$/)
          },
        ),
        { numRuns: 60 },
      )
    }
  }
})

/** Good texts of windows-1252: words of Western Europe among quotes, dashes, signs and blanks. */
const WESTERN =
  'schließen STRAẞE garçon Ångström Ærø Färöer Þór Óðinn coração ações São João Nuñez niño ' +
  'ísland Crédit Café naïve Zoë Curaçao œuvre Œuvre cœur Škoda Žižkov fjärde många År øl blåbær ' +
  'hjälp ÉTAT GROßE GmbHÜberweisung AGÖsterreich bezahltÄnderung Col·legi l´année d’été ' +
  'l’Étoile L’OREAL Aujourd’hui “quoted” „Anführung“ «guillemets» Foo…bar Foo–Bar Foo—Bar foo™ ' +
  'Brand® 5°C m² §12 10×20 10€ €uro Müller\u00a0GmbH et\u00a0al 1ª 2º Mª ¿Qué ¡Hola Straße'

test('a text of windows-1252 is always read as such, without a warning', async () => {
  const good = [
    ...WESTERN.split(' ').map((word) => word.replace('ẞ', 'ß')),
    ...wordsOf('german'),
    ...wordsOf('french'),
    ...wordsOf('spanish'),
  ]
  await assertProperty(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...good), { minLength: 1, maxLength: 60 }),
      async (words) => {
        const text = words.join(' ')
        const { text: found, guesses } = await decoded(bytesOf(text, 'windows-1252'))
        assert.equal(found, text)
        assert.deepEqual(guesses, [])
      },
    ),
    { numRuns: 500 },
  )
})

/** Signs of windows-1252 that writers put, and forget to put blanks around; none glues words. */
const JOINTS =
  ' |\n|, |„|“|”|‚|‘|’|«|»|‹|›|–|—|…|\u00a0|€|™|®|©|°|§|·|´|-|/|(|) „|“ |¿|¡| £5 | 5£ | ¥ |'.split(
    '|',
  )

test('a text of windows-1252 with typing errors is always read as such', async () => {
  const words = [
    ...[...wordsOf('german'), ...wordsOf('french'), ...wordsOf('spanish')],
    ...WESTERN.split(' ').map((word) => word.replace('ẞ', 'ß')),
    ...'SOCIéTé GéNéRALE CAFé éTAT FRANçOIS GmbH eV Brot Haus neue und die Welt von AG KG'.split(
      ' ',
    ),
  ]
  await assertProperty(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...words), fc.constantFrom(...JOINTS)), {
        minLength: 1,
        maxLength: 120,
      }),
      async (parts) => {
        const text = parts.flat().join('')
        assert.equal((await decoded(bytesOf(text, 'windows-1252'))).text, text)
      },
    ),
    { numRuns: 500 },
  )
})

test('a text of any bytes is read by one of the code pages, whatever its words', async () => {
  const byte = fc.oneof(
    fc.integer({ min: 0x80, max: 0xff }),
    fc.constantFrom(...Buffer.from('aeiouAEIOUbnrst  \n')),
  )
  await assertProperty(
    fc.asyncProperty(fc.array(byte, { maxLength: 200 }), async (bytes) => {
      const { codePage, warning } = guessCodePage(Buffer.from(bytes).toString('latin1'))
      assert.equal(typeof codePage, 'string')
      if (codePage !== 'windows-1252') assert.ok(warning)
    }),
    { numRuns: 300 },
  )
})

test('windows-1250, not a code page of DOS, is read as windows-1252, with a warning', async (t) => {
  const polish = Buffer.from('p\xb3atno\x9c\xe6 miesi\xeaczna sk\xb3adka z\xb3otych', 'latin1')
  const { text, guesses } = await decoded(polish)
  t.equal(text, 'p³atnoœæ miesiêczna sk³adka z³otych')
  t.strictSame(guesses, [
    'the encoding is not known, windows-1252 is assumed and reads "p³atnoœæ"; if that is wrong, ' +
      'name the encoding, for example --encoding windows-1250',
  ])
})

test('Hungarian in windows-1250 is read as windows-1252, with a warning', async (t) => {
  const words = wordsOf('hungarian').filter((word) => !/[őű]/i.test(word))
  const hint =
    'the encoding is not known, windows-1252 is assumed and reads "ÕSZ"; if that is wrong, name ' +
    'the encoding, for example --encoding windows-1250'
  const text = `${words.join(' ')} ŐSZ`
  const { text: found, guesses } = await decoded(bytesOf(text, 'windows-1250'))
  t.equal(found, text.replace('Ő', 'Õ'))
  t.strictSame(guesses, [hint])
  for (const good of [`${words.join(' ')} Köln`, 'Müller Köln für août', 'señor Böhm João ações']) {
    t.strictSame((await decoded(bytesOf(good, 'windows-1252'))).guesses, [], good)
  }
})

test('dashes and apostrophes within Spanish words are letters of Mac Roman', async (t) => {
  const text = 'Compañía Española Recibo señal ¿qué? PEÑA NIÑO AÑO'
  const { text: found, guesses } = await decoded(bytesOf(text, 'macintosh'))
  t.equal(found, text)
  t.match(guesses, [/^the encoding is guessed: Mac Roman, which reads "Compañía" where/u])
  const few = await decoded(bytesOf('señal Española', 'macintosh'))
  t.equal(few.text, 'se–al Espa–ola')
  t.match(few.guesses, [/windows-1252 is assumed and reads "se–al"; /u])
  for (const good of ['Berlin–München', 'von–bis', 'l’été–l’hiver', 'A–’B']) {
    t.strictSame((await decoded(bytesOf(good, 'windows-1252'))).guesses, [], good)
  }
})

test('single lines of banks in code pages of DOS are read correctly', async (t) => {
  const cases: [bytes: string, text: string, name: string][] = [
    ['Csoportos \xa0tutal\xa0s j\xa2v\xa0\xa1r\xa0sa', 'Csoportos átutalás jóváírása', 'CP850'],
    ['?32M\x9aLLER', '?32MÜLLER', 'CP850'],
    ['?20Geb\x81hren M\x84rz', '?20Gebühren März', 'CP850'],
    ['op\x88ata za przesy\x88k\xa9, \x98wiadczenie', 'opłata za przesyłkę, świadczenie', 'CP852'],
    ['soci\x8et\x8e r\x8fglement', 'société règlement', 'Mac Roman'],
  ]
  for (const [bytes, text, name] of cases) {
    const { text: found, guesses } = await decoded(Buffer.from(bytes, 'latin1'))
    t.equal(found, text)
    t.match(guesses[0], `the encoding is guessed: ${name}`)
  }
  // One word that two code pages read well, and differently, decides nothing.
  const { text, guesses } = await decoded(Buffer.from("L'\x90toile", 'latin1'))
  t.equal(text, "L'\x90toile")
  t.match(guesses[0], 'the encoding is not known, windows-1252 is assumed')
})

/** All files of a folder and the folders below it. */
function filesUnder(root: string): { name: string; bytes: Buffer }[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => ({
      name: entry.name,
      bytes: readFileSync(join(entry.parentPath, entry.name)),
    }))
}

test('every real file is read as UTF-8, else as windows-1252', async (t) => {
  const roots = ['KONTOR_STATEMENTS', 'KONTOR_MORE_STATEMENTS'].flatMap(
    (name) => process.env[name] ?? [],
  )
  let count = 0
  for (const { name, bytes } of roots.filter((root) => existsSync(root)).flatMap(filesUnder)) {
    // Bytes that an XML declaration or a byte order mark explains are other tests' subject.
    if (/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff|\s*<)/.test(bytes.toString('latin1', 0, 20))) continue
    let expected: string
    try {
      expected = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      expected = textOfBytes(bytes.toString('latin1'), 'windows-1252')
    }
    t.equal((await decoded(bytes)).text, expected, name)
    count += 1
  }
  t.comment(`${count} files`)
})
