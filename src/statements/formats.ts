import { CommandError } from '../errors.js'
import type { DetectedFormat, StatementFormats } from './readers.js'
import { StatementError } from './statement.js'

/** Every format there is. */
export const FORMATS: StatementFormats = {
  readers: {},
  decode: decodeUtf8,
  detect: detectFormat,
  parseColumns,
}

async function* decodeUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let offset = 0
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      const fault = { position: `byte ${offset}`, message: 'it is not UTF-8 from here on' }
      throw new StatementError(fault, { cause: error })
    }
  }
  for await (const chunk of chunks) {
    const text = decode(chunk)
    offset += chunk.length
    if (text !== '') yield text
  }
  yield decode()
}

function detectFormat(head: string): DetectedFormat {
  if (head.trimStart().startsWith('{')) return { kind: 'format', format: 'ndjson' }
  return { kind: 'unknown', message: 'no format we know; say it with --format' }
}

function parseColumns(text: string): ReadonlyMap<string, string> {
  const pairs = text.split(',').map((pair) => /^\s*(\w+)\s*=\s*(.+?)\s*$/.exec(pair))
  return new Map(
    pairs.map((pair): [string, string] => {
      if (pair !== null) return [pair[1] ?? '', pair[2] ?? '']
      throw new CommandError('usage', '--columns: write it as amount=Betrag,bookingDate=Datum')
    }),
  )
}
