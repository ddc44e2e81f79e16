import type { CustomSchema, SourceNode, TargetNode } from './custom-schema-plan.js'
import { CLOSE_OBJECT, COLON, COMMA, endOfString, endOfValue, OPEN_OBJECT } from './json-scan.js'

/** The input, the output and the state of one rewrite. */
interface Rewrite {
  readonly plan: CustomSchema
  readonly json: Uint8Array
  readonly out: Uint8Array
  /** The position of the next byte. */
  at: number
}

/**
 * Writes the object rendered in `json[start, …)` to `out`, renamed, moved and trimmed by the plan.
 * Values are copied as bytes, never parsed: a number keeps its digits.
 * @param json UTF-8 JSON without white space between tokens, names escaped as JSON.stringify does
 * @param range.start position of the object's `{`
 * @param range.outStart position to write to; `out` must have room for the object's bytes and
 *   `plan.growthBytesMax` more, and must not share memory with `json`
 * @returns the position in `out` after the object
 * @see parseCustomSchema for the meaning of a plan
 */
export function rewriteObject(
  plan: CustomSchema,
  json: Uint8Array,
  out: Uint8Array,
  { start, outStart }: { readonly start: number; readonly outStart: number },
): number {
  plan.valueStart.fill(-1)
  findSources(plan, json, start, plan.source)
  markPending(plan)
  const rewrite: Rewrite = { plan, json, out, at: outStart }
  writeObject(rewrite, start, plan.source, plan.target)
  return rewrite.at
}

/** Notes the position of each entry's value. @returns the position after the object at `start` */
function findSources(
  plan: CustomSchema,
  json: Uint8Array,
  start: number,
  { children }: SourceNode,
): number {
  let at = start + 1
  while (json[at] !== CLOSE_OBJECT) {
    const keyEnd = endOfString(json, at)
    const valueStart = keyEnd + 1
    const child = nodeNamed(children, json, at, keyEnd)
    const enter = child !== undefined && child.children.length > 0
    at =
      enter && json[valueStart] === OPEN_OBJECT
        ? findSources(plan, json, valueStart, child)
        : endOfValue(json, valueStart)
    if (child !== undefined && child.entry >= 0) {
      plan.valueStart[child.entry] = valueStart
      plan.valueEnd[child.entry] = at
    }
    if (json[at] === COMMA) at++
  }
  return at + 1
}

/** Marks the places that this object's values move to, and their ancestors. */
function markPending({ targets, pending, valueStart }: CustomSchema): void {
  for (let place = targets.length - 1; place >= 0; place--) {
    const { entry, children } = targets[place]! // place < targets.length
    let found = entry >= 0 && valueStart[entry]! >= 0
    for (const child of children) if (pending[child.place] === 1) found = true
    pending[place] = found ? 1 : 0
  }
}

/**
 * Writes the object at `start` without the removed members and with the added ones.
 * @param leaving node of the object in the original; undefined when nothing is removed
 * @param arriving node of the object in the new one; undefined when nothing is added
 */
function writeObject(
  rewrite: Rewrite,
  start: number,
  leaving: SourceNode | undefined,
  arriving: TargetNode | undefined,
): void {
  const { plan, json } = rewrite
  rewrite.out[rewrite.at++] = OPEN_OBJECT
  // Adjacent unchanged members form one run and are copied at once, commas included.
  let runStart = start + 1
  let runEnd = runStart
  let at = runStart
  while (json[at] !== CLOSE_OBJECT) {
    const keyEnd = endOfString(json, at)
    const valueEnd = endOfValue(json, keyEnd + 1)
    const source = leaving && nodeNamed(leaving.children, json, at, keyEnd)
    const target = arriving && nodeNamed(arriving.children, json, at, keyEnd)
    const changed =
      source !== undefined || (target !== undefined && plan.pending[target.place] === 1)
    if (changed) {
      writeRun(rewrite, runStart, runEnd)
      writeChanged(rewrite, { start: at, keyEnd, valueEnd }, source, target)
    }
    at = json[valueEnd] === COMMA ? valueEnd + 1 : valueEnd
    if (changed) runStart = at
    runEnd = changed ? at : valueEnd
  }
  writeRun(rewrite, runStart, runEnd)
  if (arriving !== undefined) writeArrivals(rewrite, arriving)
  rewrite.out[rewrite.at++] = CLOSE_OBJECT
}

/**
 * Writes a member that has an entry, contains one that has, or is the target or an ancestor of one.
 */
function writeChanged(
  rewrite: Rewrite,
  member: { readonly start: number; readonly keyEnd: number; readonly valueEnd: number },
  source: SourceNode | undefined,
  target: TargetNode | undefined,
): void {
  const { plan, json } = rewrite
  const valueStart = member.keyEnd + 1
  const leaves = source !== undefined && source.entry >= 0
  const arrives = target !== undefined && plan.pending[target.place] === 1
  const replaced = arrives && target.entry >= 0 && plan.valueStart[target.entry]! >= 0
  const isObject = json[valueStart] === OPEN_OBJECT
  // Removed and replaced values are not written here; nor is a value that another moves into.
  if (leaves || replaced || (arrives && !isObject)) return
  writeComma(rewrite)
  copy(rewrite, json, member.start, valueStart)
  if (isObject) {
    writeObject(rewrite, valueStart, source, arrives ? target : undefined)
    if (arrives) plan.pending[target.place] = 0
  } else copy(rewrite, json, valueStart, member.valueEnd)
}

/** Writes the values that move into the object and have no place among its own members. */
function writeArrivals(rewrite: Rewrite, { children }: TargetNode): void {
  const { plan } = rewrite
  for (const child of children) {
    if (plan.pending[child.place] === 0) continue
    plan.pending[child.place] = 0
    writeComma(rewrite)
    copy(rewrite, child.key, 0, child.key.length)
    rewrite.out[rewrite.at++] = COLON
    writeMoved(rewrite, child)
  }
}

/** Writes the value of a place to which, or below which, a value has moved. */
function writeMoved(rewrite: Rewrite, target: TargetNode): void {
  const { plan, json, out } = rewrite
  const valueStart = target.entry < 0 ? -1 : plan.valueStart[target.entry]!
  const isObject = valueStart >= 0 && json[valueStart] === OPEN_OBJECT
  const source = isObject ? plan.sources[target.entry] : undefined
  if (isObject) writeObject(rewrite, valueStart, source, target)
  else if (valueStart < 0 || hasPendingBelow(plan, target)) {
    out[rewrite.at++] = OPEN_OBJECT
    writeArrivals(rewrite, target)
    out[rewrite.at++] = CLOSE_OBJECT
  } else copy(rewrite, json, valueStart, plan.valueEnd[target.entry]!)
}

function hasPendingBelow(plan: CustomSchema, { children }: TargetNode): boolean {
  for (const child of children) if (plan.pending[child.place] === 1) return true
  return false
}

/** The node with the name `json[start, end)`, quotation marks included. */
function nodeNamed<Node extends { readonly key: Uint8Array }>(
  nodes: readonly Node[],
  json: Uint8Array,
  start: number,
  end: number,
): Node | undefined {
  const length = end - start
  for (const node of nodes) {
    const { key } = node
    if (key.length !== length) continue
    let i = 1
    while (i < length && key[i] === json[start + i]) i++
    if (i === length) return node
  }
  return undefined
}

function writeRun(rewrite: Rewrite, start: number, end: number): void {
  if (start === end) return
  writeComma(rewrite)
  copy(rewrite, rewrite.json, start, end)
}

/** A comma, unless the object has just been opened. */
function writeComma(rewrite: Rewrite): void {
  if (rewrite.out[rewrite.at - 1] !== OPEN_OBJECT) rewrite.out[rewrite.at++] = COMMA
}

function copy(rewrite: Rewrite, from: Uint8Array, start: number, end: number): void {
  const { out } = rewrite
  let at = rewrite.at
  rewrite.at += end - start
  if (end - start > LOOP_BYTES_MAX) {
    out.set(from.subarray(start, end), at)
    return
  }
  for (let i = start; i < end; i++) out[at++] = from[i]! // end <= from.length
}

/** The engine copies longer ranges faster than this loop. */
const LOOP_BYTES_MAX = 96
