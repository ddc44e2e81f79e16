import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { STYLE } from '../browser/style.js'

/** A file that pages load: its name holds a hash of its bytes, so browsers may cache it forever. */
export interface Asset {
  /** `/dashboard/assets/kontor-1a2b3c4d5e6f.css` */
  readonly path: string
  readonly contentType: string
  readonly bytes: Uint8Array
  readonly etag: string
}

/** The path prefix of the dashboard's assets. */
export const ASSETS_PATH = '/dashboard/assets/'

const FOLDER = join(import.meta.dirname, 'assets')

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The style sheet of all pages, and the scripts and the icon of the dashboard. */
export class Assets {
  readonly #byName = new Map<string, Asset>()
  readonly #byPath = new Map<string, Asset>()

  /** @param prefix of the paths, with a trailing slash */
  constructor(private readonly prefix = ASSETS_PATH) {}

  /** Reads the folder. */
  static load(): Assets {
    const assets = new Assets()
    assets.add('kontor.css', Buffer.from(STYLE))
    for (const name of readdirSync(FOLDER)) assets.add(name, readFileSync(join(FOLDER, name)))
    return assets
  }

  /** @param name such as `kontor.css`; the extension decides the content type */
  add(name: string, bytes: Uint8Array): void {
    const extension = extname(name)
    const stem = name.slice(0, -extension.length)
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
    const path = `${this.prefix}${stem}-${hash}${extension}`
    const contentType = CONTENT_TYPES[extension] ?? 'application/octet-stream'
    const asset: Asset = { path, contentType, bytes, etag: `"${hash}"` }
    this.#byName.set(name, asset)
    this.#byPath.set(path, asset)
  }

  /** The path of an existing file. @throws Error when none has that name */
  pathOf(name: string): string {
    const asset = this.#byName.get(name)
    if (asset === undefined) throw new Error(`no asset is called ${name}`)
    return asset.path
  }

  find(path: string): Asset | undefined {
    return this.#byPath.get(path)
  }
}
