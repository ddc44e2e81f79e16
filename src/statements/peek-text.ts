/** Characters of a bank file from which its format is detected. */
export const DETECT_CHARS_MAX = 65_536

/** The beginning of a text, and the text as a whole. */
export interface PeekedText {
  /** DETECT_CHARS_MAX characters or a piece more, or the whole text. */
  readonly head: string
  readonly text: AsyncIterable<string>
}

/** Reads the beginning of a text without consuming it: standard input can be read only once. */
export async function peekText(pieces: AsyncIterable<string>): Promise<PeekedText> {
  const iterator = pieces[Symbol.asyncIterator]()
  let head = ''
  let next = await iterator.next()
  while (next.done !== true) {
    head += next.value
    if (head.length >= DETECT_CHARS_MAX) break
    next = await iterator.next()
  }
  async function* whole(): AsyncGenerator<string> {
    try {
      if (head !== '') yield head
      if (next.done === true) return
      for (;;) {
        const { value, done } = await iterator.next()
        if (done === true) return
        yield value
      }
    } finally {
      await iterator.return?.()
    }
  }
  return { head, text: whole() }
}
