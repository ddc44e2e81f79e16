import { strict as assert } from 'node:assert'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type Target } from './client.js'

/** Head of the floor's answers and the layout of the bodies. */
export interface FloorHead {
  /** `200 OK`. */
  readonly status: string
  /** As kontor sent them for one of the bodies, without the fields that the engine writes. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Lengths of the bodies, which follow one another in their file. */
  readonly bodyBytes: readonly number[]
}

const ENGINES_OWN = new Set(['date', 'uwebsockets', 'content-length', 'connection', 'keep-alive'])

/**
 * Writes the floor's folder: the answers of a running kontor to these targets, each target as many
 * times as it occurs.
 */
export async function writeFloor(
  folder: string,
  port: number,
  targets: readonly Target[],
): Promise<FloorHead> {
  const client = new Client(port)
  const bodies: Buffer[] = []
  let fields: (readonly [string, string])[] = []
  for (const [i, target] of targets.entries()) {
    const answer = await client.ask(target)
    assert(answer.status === 200, `${target.path} is answered with ${answer.status}`)
    bodies.push(answer.body)
    // From the middle of the list, because the first page has fewer links than the others.
    if (i === targets.length >> 1) fields = fieldsOf(answer.rawFields)
  }
  client.close()
  const head = { status: '200 OK', fields, bodyBytes: bodies.map((body) => body.length) }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'head.json'), JSON.stringify(head))
  writeFileSync(join(folder, 'bodies.bin'), Buffer.concat(bodies))
  return head
}

function fieldsOf(raw: readonly string[]): (readonly [string, string])[] {
  const pairs = raw.flatMap((name, i): (readonly [string, string])[] =>
    i % 2 === 0 ? [[name, raw[i + 1] ?? '']] : [],
  )
  return pairs.filter(([name]) => !ENGINES_OWN.has(name.toLowerCase()))
}

/**
 * Asserts that the floor answers like kontor: the same status, the same field names, and bodies out
 * of the same thousand.
 */
export async function checkFloor(
  floorPort: number,
  kontorPort: number,
  { targets, head }: { readonly targets: readonly Target[]; readonly head: FloorHead },
): Promise<void> {
  const [floor, kontor] = [new Client(floorPort), new Client(kontorPort)]
  const sizes = new Set(head.bodyBytes)
  for (const target of targets) {
    const [bare, ours] = await Promise.all([floor.ask(target), kontor.ask(target)])
    const names = (raw: readonly string[]): string[] => raw.filter((_, i) => i % 2 === 0).sort()
    assert.equal(bare.status, ours.status)
    assert.deepEqual(names(bare.rawFields), names(ours.rawFields), 'the same fields')
    assert(sizes.has(bare.body.length), 'the floor sends one of its bodies')
    assert(sizes.has(ours.body.length), 'kontor sends the same bodies as the floor')
  }
  floor.close()
  kontor.close()
}
