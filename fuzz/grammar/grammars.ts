import type { Random, WeightedValue } from '../../src/demo/random.js'
import { spread } from '../../src/demo/random.js'
import type { Grammar, Ground, Shot } from '../shot.js'
import { batches } from './batches.js'
import { fields } from './fields.js'
import { files } from './files.js'
import { forms } from './forms.js'
import { framing } from './framing.js'
import { mcp } from './mcp.js'
import { oauth } from './oauth.js'
import { parameters } from './parameters.js'
import { rawBytes } from './raw-bytes.js'

/** Every kind of shot. The expensive ones are rare: a rendered page, an imported file. */
const GRAMMARS = {
  ...{ rawBytes, framing, fields, parameters, batches, oauth, mcp, forms, files },
} as const

/** Name of a kind of shot. */
export type Kind = keyof typeof GRAMMARS

const WEIGHTS: readonly WeightedValue<Kind>[] = [
  [120, 'rawBytes'],
  [180, 'framing'],
  [200, 'fields'],
  [290, 'parameters'],
  [40, 'batches'],
  [70, 'oauth'],
  [70, 'mcp'],
  [28, 'forms'],
  [2, 'files'],
]
const KINDS = spread(WEIGHTS)

/** A shot and its kind. */
export function nextShot(random: Random, ground: Ground): { kind: Kind; shot: Shot } {
  const kind = random.pick(KINDS)
  const grammar: Grammar = GRAMMARS[kind]
  return { kind, shot: grammar(random, ground) }
}
