import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the style of every page begins with: light and dark, from a phone's width up. */
export const STYLE = readFileSync(join(import.meta.dirname, 'assets', 'base.css'), 'utf8')

/** What a Content-Security-Policy calls {@link STYLE} when it stands in a page. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
