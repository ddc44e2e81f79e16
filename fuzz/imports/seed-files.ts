import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { bankFiles } from '../../bench/import-eval/bank-files.js'
import type { StatementFormat } from '../../src/statements/detect.js'
import { FORMATS } from '../../src/statements/formats.js'
import { peekText } from '../../src/statements/peek-text.js'
import { StatementError } from '../../src/statements/statement.js'
import { GOOD_FILES } from '../../test/fixtures/hostile-files.js'

/** A bank file from which inputs are derived. */
export interface SeedFile {
  readonly name: string
  readonly bytes: Buffer
}

/** Size of the largest seed file: larger ones would take most of the time. */
const SEED_BYTES_MAX = 60_000

/** Small files of formats and columns that no other seed file has. */
const OWN_FILES: readonly { readonly name: string; readonly content: string }[] = [
  {
    name: 'own.sta',
    content:
      ':20:1\r\n:25:DE89370400440532013000\r\n:28C:1/1\r\n:34F:EUR0,00\r\n' +
      ':13D:2405311200+0100\r\n' +
      ':61:2405310531C12,50NTRFNONREF\r\n:86:166?20Miete?32Muster\r\n:90C:1EUR12,50\r\n-\r\n',
  },
  {
    name: 'own.qif',
    content: '!Type:Bank\nD31/05/2024\nT-12.50\nPMuster\nMMiete\n^\nD30/05/2024\nT7\n^\n',
  },
  {
    name: 'own-running.csv',
    content:
      'Date,Description,Amount,Balance\n2024-05-31,Rent,-12.50,94.50\n' +
      '2024-05-30,Pay,100.00,107.00\n' +
      '2024-05-30,Food,-3.00,7.00\n2024-05-29,Pay,10.00,10.00\n',
  },
]

/**
 * A small file of each format from the tests, and the real files of the folders that the
 * environment names, by their detected format; ordered by name.
 */
export async function seedFiles(
  environment: NodeJS.ProcessEnv,
): Promise<Map<StatementFormat, SeedFile[]>> {
  const own = [...GOOD_FILES, ...OWN_FILES].map(({ name, content }) => ({
    name,
    bytes: Buffer.from(content),
  }))
  const real = bankFiles(environment).map(({ name, path }) => ({ name, bytes: readFileSync(path) }))
  const found = new Map<StatementFormat, SeedFile[]>()
  for (const file of [...own, ...real]) {
    if (file.bytes.length > SEED_BYTES_MAX) continue
    const format = await formatOf(file)
    if (format !== undefined) found.set(format, [...(found.get(format) ?? []), file])
  }
  return found
}

async function formatOf({ name, bytes }: SeedFile): Promise<StatementFormat | undefined> {
  try {
    const { head } = await peekText(FORMATS.decode(chunksOf([bytes])))
    const detected = FORMATS.detect(head, basename(name))
    return detected.kind === 'format' ? detected.format : undefined
  } catch (error) {
    if (error instanceof StatementError) return undefined
    throw error
  }
}

/** The chunks as a stream. */
export async function* chunksOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
