import { isDeepStrictEqual } from 'node:util'
import { type FileKind, type FileState, InspectedFile } from '../store/sqlite/inspected-file.js'
import { StoreError } from '../store/store-error.js'

/**
 * Checks a copy in full: SQLite's integrity check, and the same uid, sequence, schema version and
 * number of rows in each table as the original.
 * @returns the number of rows that refer to missing rows: the original has them too, since a writer
 *   may omit `PRAGMA foreign_keys = ON`
 * @throws StoreError when the copy is damaged or is another state
 */
export function verifyCopy(
  path: string,
  kind: FileKind,
  original: FileState,
): { readonly danglingCount: number } {
  const copy = InspectedFile.open(path, kind)
  try {
    const faults = copy.integrityFaults()
    if (faults.length > 0) {
      throw new StoreError(`${path}: the file is damaged (SQLite: ${faults.join('; ')})`)
    }
    const { schemaVersion, uid, sequence, rows } = original
    const expected = { schemaVersion, rows, ...(kind === 'control' ? {} : { uid, sequence }) }
    if (!isDeepStrictEqual(copy.state(), expected)) {
      throw new StoreError(`${path}: the rows of the copy differ from the original`)
    }
    return { danglingCount: copy.danglingRows().reduce((sum, { count }) => sum + count, 0) }
  } finally {
    copy.close()
  }
}
