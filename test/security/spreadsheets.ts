// A payer determines the text of a purpose, and a user opens the export with a spreadsheet: here
// LibreOffice, where it is installed (Debian: libreoffice-calc-nogui), set to evaluate formulas,
// for which it otherwise asks.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { type CsvDialect, csvHead, csvLines } from '../../src/dashboard/csv-text.js'

const HOSTILE = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1;1)',
  '=HYPERLINK("http://example.org/";"x")',
  '\t=1+1',
  '\r\n=1+1',
  ' =1+1',
  "Rechnung 4711;=cmd|'/C calc'!A0;x",
  'Rechnung; =SUM(1;2); x',
  'x\n=1+1',
  'x\t=1+1',
  'Rechnung 4711,=1+1,x',
  'Rechnung 4711, =SUM(1;2), x',
  '"=1+1"',
  '",=1+1,"',
]

const COLUMNS = [
  { name: 'text', read: (text: string) => text },
  { name: 'amount', read: () => -12.5 },
]

const isInstalled = spawnSync('soffice', ['--version']).status === 0

/** Cells of a sheet in LibreOffice: formulas, and numbers. */
function opened(
  folder: string,
  text: string,
  { separator, language }: { readonly separator: ',' | ';'; readonly language: number },
): { formulas: string[]; numbers: Set<string> } {
  const path = join(folder, 'export.csv')
  writeFileSync(path, text)
  // Options of the filter: separator, quote, UTF-8, first line, columns, language, quoted fields
  // are not text, numbers are recognized, …, formulas are evaluated.
  const shared = 'false,true,false,true,false,0,true'
  const filter = `CSV:${separator.charCodeAt(0)},34,76,1,,${language},${shared}`
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const words = [profile, '--headless', `--infilter=${filter}`, '--convert-to', 'fods']
  execFileSync('soffice', [...words, '--outdir', folder, path], { stdio: 'ignore' })
  const view = readFileSync(join(folder, 'export.fods'), 'utf8')
  return {
    formulas: [...view.matchAll(/table:formula="([^"]*)"/g)].map(([, formula = '']) => formula),
    numbers: new Set([...view.matchAll(/office:value="([^"]*)"/g)].map(([, value = '']) => value)),
  }
}

const ENGLISH = { separator: ',', language: 1033 } as const
const GERMAN = { separator: ';', language: 1031 } as const

test('LibreOffice finds no formula in an export, and numbers where expected', {
  skip: isInstalled ? false : 'no LibreOffice here',
}, async (t) => {
  const folder = t.testdir()
  const bare = opened(folder, 'text,amount\r\n=1+1,1\r\n', ENGLISH)
  t.same(bare.formulas, ['of:=1+1'], 'it would detect one')
  const written = (dialect: CsvDialect): string =>
    csvHead(COLUMNS, dialect) + csvLines(COLUMNS, HOSTILE, dialect)
  const english = opened(folder, written('comma'), ENGLISH)
  t.same(english, { formulas: [], numbers: new Set(['-12.5']) })
  const german = opened(folder, written('semicolon'), GERMAN)
  t.same(german, { formulas: [], numbers: new Set(['-12.5']) })
  for (const [dialect, settings] of [
    ['semicolon', ENGLISH],
    ['comma', GERMAN],
  ] as const) {
    const { formulas } = opened(folder, written(dialect), settings)
    t.same(formulas, [], `nor with ${dialect} split at the wrong places`)
  }
})
