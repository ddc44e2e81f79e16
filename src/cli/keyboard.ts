import { StringDecoder } from 'node:string_decoder'
import { CommandError } from '../errors.js'

/** Prompts a person at a terminal. */
export interface Keyboard {
  /** Prompts for one line without echo. Rejects with CommandError when the person cancels. */
  readSecret(prompt: string): Promise<string>
}

/** The input of a keyboard: a terminal's standard input. */
export interface TerminalInput {
  setRawMode(isRaw: boolean): unknown
  on(event: 'data', listener: (piece: Buffer) => void): unknown
  off(event: 'data', listener: (piece: Buffer) => void): unknown
  resume(): unknown
  pause(): unknown
}

/** Where a keyboard prompts. */
interface PromptOutput {
  write(text: string): Promise<void>
}

/** @param output for the prompt */
export function keyboardOf(input: TerminalInput, output: PromptOutput): Keyboard {
  const decoder = new StringDecoder('utf8')
  // Text that was typed or pasted after the end of the last line.
  let ahead = ''

  function readLine(): Promise<string> {
    return new Promise((resolve, reject) => {
      const line = new TypedLine()
      const take = (text: string): void => {
        const end = line.take(text)
        if (end === undefined) return
        ahead = end.rest
        input.off('data', listen)
        if (end.isGivenUp) reject(new CommandError('failed', 'cancelled; nothing was changed'))
        else resolve(line.text)
      }
      const listen = (piece: Buffer): void => take(decoder.write(piece))
      input.on('data', listen)
      take(ahead)
    })
  }

  return {
    readSecret: async (prompt) => {
      await output.write(prompt)
      input.setRawMode(true)
      input.resume()
      try {
        return await readLine()
      } finally {
        input.setRawMode(false)
        input.pause()
        await output.write('\n')
      }
    },
  }
}

/** A line in progress, edited as a terminal in canonical mode would. */
class TypedLine {
  #characters: string[] = []

  get text(): string {
    return this.#characters.join('')
  }

  /** @returns undefined while the line is incomplete; else the text after its end */
  take(text: string): { readonly isGivenUp: boolean; readonly rest: string } | undefined {
    // An arrow or function key arrives as one piece that begins with an escape character.
    if (text.startsWith('\u001b')) return undefined
    const characters = [...text]
    for (const [i, character] of characters.entries()) {
      if (character === '\r' || character === '\n') {
        return { isGivenUp: false, rest: characters.slice(i + 1).join('') }
      }
      if (character === CONTROL_C || character === CONTROL_D) return { isGivenUp: true, rest: '' }
      if (character === BACKSPACE || character === DELETE) this.#characters.pop()
      else if (character === CONTROL_U) this.#characters = []
      else this.#characters.push(character)
    }
    return undefined
  }
}

const CONTROL_C = '\u0003'
const CONTROL_D = '\u0004'
const BACKSPACE = '\b'
const CONTROL_U = '\u0015'
const DELETE = '\u007f'
