// A payer determines the text of a purpose, and a user opens the export with a spreadsheet: here
// LibreOffice, where it is installed (Debian: libreoffice-calc-nogui), set to evaluate formulas,
// for which it otherwise asks.
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'tap'
import { csvHead, csvLines } from '../../src/dashboard/csv-text.js'

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

/** Cells of a sheet in LibreOffice. */
interface Cells {
  readonly formulas: readonly string[]
  readonly numbers: ReadonlySet<string>
}

/** Opens texts as CSV files, in one run, which takes seconds. @returns the cells of each */
function opened(
  folder: string,
  texts: readonly string[],
  { separator, language }: { readonly separator: ',' | ';'; readonly language: number },
): Cells[] {
  const names = texts.map((_, at) => `export-${language}-${at}`)
  texts.forEach((text, at) => {
    writeFileSync(join(folder, `${names[at]}.csv`), text)
  })
  // Options of the filter: separator, quote, UTF-8, first line, columns, language, quoted fields
  // are not text, numbers are recognized, …, formulas are evaluated.
  const shared = 'false,true,false,true,false,0,true'
  const filter = `CSV:${separator.charCodeAt(0)},34,76,1,,${language},${shared}`
  const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`
  const words = [profile, '--headless', `--infilter=${filter}`, '--convert-to', 'fods']
  const paths = names.map((name) => join(folder, `${name}.csv`))
  execFileSync('soffice', [...words, '--outdir', folder, ...paths], { stdio: 'ignore' })
  return names.map((name) => cellsOf(readFileSync(join(folder, `${name}.fods`), 'utf8')))
}

function cellsOf(view: string): Cells {
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
  const byCommas = csvHead(COLUMNS, 'comma') + csvLines(COLUMNS, HOSTILE, 'comma')
  const bySemicolons = csvHead(COLUMNS, 'semicolon') + csvLines(COLUMNS, HOSTILE, 'semicolon')
  const bare = 'text,amount\r\n=1+1,1\r\n'
  const english = opened(folder, [bare, byCommas, bySemicolons], ENGLISH)
  const german = opened(folder, [bySemicolons, byCommas], GERMAN)
  t.same(english[0]?.formulas, ['of:=1+1'], 'it would detect one')
  t.same(english[1], { formulas: [], numbers: new Set(['-12.5']) })
  t.same(german[0], { formulas: [], numbers: new Set(['-12.5']) })
  t.same(english[2]?.formulas, [], 'nor with semicolons split at the wrong places')
  t.same(german[1]?.formulas, [], 'nor with commas split at the wrong places')
})
