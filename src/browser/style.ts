import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The common start of every page's style: light and dark, from a phone's width up. */
export const STYLE = readFileSync(join(import.meta.dirname, 'assets', 'base.css'), 'utf8')

/** The source of {@link STYLE} in a Content-Security-Policy when it is inlined in a page. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
