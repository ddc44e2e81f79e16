import type { OnProgress } from '../backup/manifest.js'
import { ProgressLine } from './progress.js'
import type { Terminal } from './terminal.js'

/**
 * Runs work on files, one after the other, and shows its progress on a terminal.
 * @param name of the command
 */
export async function showingFiles<T>(
  name: string,
  { stderr, clock }: Pick<Terminal, 'stderr' | 'clock'>,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  const progress = new ProgressLine(stderr, name, clock)
  try {
    return await work(({ path, step, doneBytes, totalBytes }) => {
      if (doneBytes === undefined || totalBytes === undefined) progress.step(`${step} ${path}`)
      else progress.showPart(`${step} ${path}`, doneBytes, totalBytes)
    })
  } finally {
    progress.clear()
  }
}
