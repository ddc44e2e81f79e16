// Commands in the documents: every command and every flag of them exists.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'tap'
import { COMMON_FLAGS, type CommandEntry } from '../../src/cli/command.js'
import { COMMANDS } from '../../src/cli/commands.js'

const root = resolve(import.meta.dirname, '../../..')
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => join('docs', name))

/** Flags of npm, curl, V8 and benches that occur in code spans. */
const FOREIGN_FLAGS = new Set([
  ...['expose-gc', 'global', 'header', 'ignore-scripts', 'initial-old-space-size'],
  ...['max-semi-space-size', 'no-save', 'record', 'time', 'v'],
])

/** `kontor keys create` -> its flags, including those of every command. */
async function flagsByCommand(
  entries: readonly CommandEntry[],
  before = 'kontor',
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const known of entries) {
    const entry = known.kind === 'unloaded' ? await known.load() : known
    const name = `${before} ${entry.name}`
    if (entry.kind === 'command') {
      found.set(name, [...Object.keys(entry.flags), ...Object.keys(COMMON_FLAGS)])
    }
    const below = entry.kind === 'group' ? entry.commands : (entry.commands ?? [])
    for (const [inner, flags] of await flagsByCommand(below, name)) found.set(inner, flags)
  }
  return found
}

const commands = await flagsByCommand(COMMANDS)
const allFlags = new Set(['version', ...[...commands.values()].flat()])

/** Words of each kontor command that a page prints after `$`, with continuation lines joined. */
function typedCommands(text: string): string[][] {
  const fences = [...text.matchAll(/^```console\n([\s\S]*?)^```/gm)]
  const lines = fences.flatMap(([, body = '']) => body.replace(/\\\n\s*/g, '').split('\n'))
  return lines
    .filter((line) => line.startsWith('$ '))
    .flatMap((line) => [...line.matchAll(/\bkontor ((?:[a-z]+ ?)+[^|()]*)/g)])
    .map(([, words = '']) => words.trim().split(/\s+/))
}

/** The longest prefix of the words that is a command. */
function commandOf(words: readonly string[]): string | undefined {
  for (let count = Math.min(3, words.length); count > 0; count--) {
    const name = `kontor ${words.slice(0, count).join(' ')}`
    if (commands.has(name)) return name
  }
  return undefined
}

test('commands in the documents exist, with their flags', async (t) => {
  let count = 0
  for (const path of ['README.md', ...pages]) {
    for (const words of typedCommands(readFileSync(join(root, path), 'utf8'))) {
      const name = commandOf(words)
      if (name === undefined) continue
      count++
      for (const word of words) {
        const flag = /^--([a-z-]+)/.exec(word)?.[1]
        if (flag === undefined) continue
        t.ok(commands.get(name)?.includes(flag), `${path}: ${name} has --${flag}`)
      }
    }
  }
  t.ok(count > 30, `${count} commands were found`)
})

test('flags in the documents exist', async (t) => {
  for (const path of ['README.md', ...pages]) {
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, span = ''] of text.matchAll(/`(--[^`\n]+)`/g)) {
      const flag = /^--([a-z-]+)/.exec(span)?.[1] ?? ''
      if (!FOREIGN_FLAGS.has(flag)) t.ok(allFlags.has(flag), `${path}: ${span}`)
    }
  }
})
