import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ApiError } from '../errors.js'
import type { Exchange } from '../http/engine/exchange.js'
import type { ArrivedFile } from '../inbox/imports.js'
import { boundaryOf, MultipartError, MultipartReader, type MultipartSink } from './multipart.js'

/** Bytes of a form of the dashboard: enough for a schema, and a hundred times the form of a key. */
export const FORM_BYTES_MAX = 65_536

/** Forms with files that arrive at once: their files wait on disk. */
export const UPLOADS_AT_ONCE_MAX = 4

/** Files that are sent at once: more than a year of daily statements. */
export const UPLOAD_FILES_MAX = 500

/** Fields of a form with files: the form has six, and each costs memory, empty or not. */
export const UPLOAD_FIELDS_MAX = 64

/** Limits the forms with files that arrive at once. */
export class UploadLimit {
  #count = 0

  /**
   * Runs `work`, which reads arriving files.
   * @throws UploadError when UPLOADS_AT_ONCE_MAX forms are arriving
   */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.#count >= UPLOADS_AT_ONCE_MAX) {
      throw new UploadError('Other uploads are in progress. Try again in a moment.')
    }
    this.#count += 1
    try {
      return await work()
    } finally {
      this.#count -= 1
    }
  }
}

/** An uploaded file, on the disk of this machine until {@link discardUploads}. */
export interface UploadedFile {
  readonly path: string
  /** The sender's name of the file, without folders. */
  readonly name: string
  readonly bytes: number
}

/** A form with files. */
export interface Upload {
  /** The value of a field, the last of several. */
  readonly fields: ReadonlyMap<string, string>
  /** The files that were chosen, empty ones as well. */
  readonly files: readonly UploadedFile[]
}

/** Options of an upload. */
export interface UploadOptions {
  /** The folder for the files. */
  readonly folder: string
  /** Bytes of the whole form. */
  readonly bytesMax: number
  /** Whether files are accepted, by the fields in front of them. */
  readonly isWanted: (fields: ReadonlyMap<string, string>) => boolean
}

/** The reason why a form with files was rejected. */
export class UploadError extends Error {
  override readonly name = 'UploadError'
}

/**
 * Reads a form with files to disk as it arrives. To be called before the first await.
 * @throws UploadError with a sentence; nothing is left on disk then
 */
export async function readUpload(exchange: Exchange, options: UploadOptions): Promise<Upload> {
  const boundary = boundaryOf(exchange.field('content-type'))
  if (boundary === undefined) throw new UploadError('The form must be sent as multipart/form-data.')
  const sink = new UploadSink(options)
  const reader = new MultipartReader(boundary, sink)
  try {
    await exchange.bodyTo(options.bytesMax, (part) => reader.feed(part))
    reader.end()
    return sink
  } catch (error) {
    await sink.discard()
    if (error instanceof MultipartError) throw new UploadError(`In the form, ${error.message}.`)
    if (error instanceof ApiError && error.code === 'body_too_large') {
      const megabytes = Math.floor(options.bytesMax / 1_000_000)
      throw new UploadError(`Together the files are larger than ${megabytes} MB.`)
    }
    throw error
  }
}

/** Removes uploaded files from disk. */
export function discardUploads(files: readonly UploadedFile[]): void {
  for (const { path } of files) rmSync(path, { force: true })
}

/** An uploaded file as the imports take it; it is removed from disk when it has been imported. */
export function arrivedFile(file: UploadedFile): ArrivedFile {
  return {
    name: file.name,
    bytes: file.bytes,
    open: async () => ({ path: file.path }),
    release: async () => discardUploads([file]),
  }
}

/** Creates the folder of uploads, and removes the files that a killed process has left in it. */
export function emptyUploadFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { force: true })
}

class UploadSink implements MultipartSink, Upload {
  readonly fields = new Map<string, string>()
  readonly files: UploadedFile[] = []
  #fieldBytes = 0
  #fieldCount = 0
  #fileCount = 0
  #field: { readonly name: string; parts: Uint8Array[] } | undefined
  #file: { readonly path: string; readonly name: string; bytes: number } | undefined
  #handle: FileHandle | undefined

  constructor(private readonly options: UploadOptions) {}

  async begin(name: string, fileName: string | undefined): Promise<void> {
    if (fileName === undefined) {
      this.#fieldCount += 1
      if (this.#fieldCount > UPLOAD_FIELDS_MAX) {
        throw new UploadError(`The form has more than ${UPLOAD_FIELDS_MAX} fields.`)
      }
      this.#countFieldBytes(Buffer.byteLength(name))
      this.#field = { name, parts: [] }
      return
    }
    if (!this.options.isWanted(this.fields)) throw new UploadError('The form has expired.')
    // Empty ones count as well.
    this.#fileCount += 1
    if (this.#fileCount > UPLOAD_FILES_MAX) {
      throw new UploadError(`At most ${UPLOAD_FILES_MAX} files can be uploaded at once.`)
    }
    const path = join(this.options.folder, randomUUID())
    // Some browsers send the folders of a file as well, with either slash.
    this.#file = { path, name: basename(fileName.replaceAll('\\', '/')), bytes: 0 }
  }

  async take(bytes: Uint8Array): Promise<void> {
    if (this.#field !== undefined) {
      this.#countFieldBytes(bytes.length)
      this.#field.parts.push(new Uint8Array(bytes))
    } else if (this.#file !== undefined) {
      this.#handle ??= await open(this.#file.path, 'wx', 0o600)
      await this.#handle.write(bytes)
      this.#file.bytes += bytes.length
    }
  }

  #countFieldBytes(bytes: number): void {
    this.#fieldBytes += bytes
    if (this.#fieldBytes > FORM_BYTES_MAX) throw new UploadError('The form is too long.')
  }

  async end(): Promise<void> {
    const { parts = [], name = '' } = this.#field ?? {}
    if (this.#field !== undefined) this.fields.set(name, Buffer.concat(parts).toString('utf8'))
    // Where no file was chosen, browsers send an empty one without a name.
    else if (this.#file !== undefined && (this.#file.bytes > 0 || this.#file.name !== '')) {
      this.#handle ??= await open(this.#file.path, 'wx', 0o600)
      this.files.push(this.#file)
    }
    await this.#close()
  }

  /** Removes all files from disk. */
  async discard(): Promise<void> {
    const underWay = this.#file
    await this.#close()
    discardUploads(underWay === undefined ? this.files : [...this.files, underWay])
  }

  async #close(): Promise<void> {
    this.#field = undefined
    this.#file = undefined
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close()
  }
}
