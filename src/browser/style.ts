import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, 'assets')

/**
 * The style sheet of all pages: light and dark, from a phone's width up. The files of the folder in
 * the order of their names; the first one has the variables.
 */
export const STYLE = readdirSync(FOLDER)
  .sort()
  .map((name) => readFileSync(join(FOLDER, name), 'utf8'))
  .join('\n')

/** The source of {@link STYLE} in a Content-Security-Policy when it is inlined in a page. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
