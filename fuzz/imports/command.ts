import { Worker } from 'node:worker_threads'
import { provenance } from '../../bench/settings.js'
import type { StatementFormat } from '../../src/statements/detect.js'
import { STATEMENT_FORMATS } from '../../src/statements/readers.js'
import { faultText, importFuzzReport } from './report.js'
import { fuzzImports } from './run.js'
import type { WatchdogOptions } from './watchdog.js'

/** A request to fuzz the imports, from the command line. */
export interface ImportFuzzRequest {
  readonly words: readonly string[]
  readonly seed: number
  readonly inputs: readonly [first: number, end: number]
  readonly format: StatementFormat | undefined
}

/** Fuzzes the imports and prints the faults. @returns the section of the results */
export async function runImportFuzz({
  words,
  ...request
}: ImportFuzzRequest): Promise<{ readonly section: string; readonly isSound: boolean }> {
  const present = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
  const workerData: WatchdogOptions = { present, formats: STATEMENT_FORMATS, seed: request.seed }
  const watchdog = new Worker(new URL('./watchdog.js', import.meta.url), { workerData })
  const figures = await fuzzImports({
    ...request,
    environment: process.env,
    progress: (format, input) => {
      Atomics.store(present, 0, input)
      Atomics.store(present, 1, STATEMENT_FORMATS.indexOf(format))
      if (!process.stderr.isTTY || input % 100 !== 0) return
      process.stderr.write(`\r\u001b[K${format}: ${input.toLocaleString('en')} inputs`)
    },
  })
  await watchdog.terminate()
  const faults = figures.flatMap((each) => each.faults)
  const lines = faults.map((fault) => `${faultText(fault, request.seed)}\n`)
  process.stderr.write(`\n${lines.join('')}`)
  const section = `${provenance('fuzz imports', words, 'fuzz')}\n\n${importFuzzReport(figures)}\n`
  return { section, isSound: faults.length === 0 }
}
