// Calls of a program, and the REST requests that have the same answers.
import { strict as assert } from 'node:assert'
import type { KontorWorkspace } from '../src/embedded/kontor.js'
import type { Client, Target } from './client.js'
import { WORKSPACE_ID } from './corpus.js'

/** Kinds of calls. */
export const CALL_KINDS = ['page of 100', 'single transaction', 'search page', 'match'] as const

/** A kind of {@link CALL_KINDS}. */
export type CallKind = (typeof CALL_KINDS)[number]

/** A call of a program. */
export type ProgramCall =
  | { readonly kind: 'page of 100'; readonly offset: number }
  | { readonly kind: 'single transaction'; readonly id: number }
  | { readonly kind: 'search page'; readonly query: string; readonly offset: number }
  | { readonly kind: 'match'; readonly query: string }

/** The answer in process; a promise for a match alone. */
export function answerInProcess(workspace: KontorWorkspace, call: ProgramCall): unknown {
  if (call.kind === 'single transaction') return workspace.transaction(call.id)
  if (call.kind === 'match') return workspace.match(call.query, { limit: 10 })
  const { kind, ...query } = call
  return workspace.transactions({ ...query, limit: 100 })
}

/** The same answer over HTTP, parsed. @throws AssertionError for any status but 200 */
export async function answerOverHttp(
  client: Client,
  apiKey: string,
  call: ProgramCall,
): Promise<unknown> {
  const target = targetOf(call, apiKey)
  const { status, fields, body } = await client.ask(target)
  const text = body.toString()
  assert.equal(status, 200, `${target.path}: ${text}`)
  if (call.kind === 'single transaction') return JSON.parse(text)
  return { items: JSON.parse(text), total: Number(fields['x-total-count']) }
}

function targetOf(call: ProgramCall, apiKey: string): Target {
  return {
    path: `/v1/${WORKSPACE_ID}/transactions${pathOf(call)}`,
    fields: { Authorization: `Bearer ${apiKey}` },
  }
}

function pathOf(call: ProgramCall): string {
  switch (call.kind) {
    case 'page of 100':
      return `?limit=100&offset=${call.offset}`
    case 'single transaction':
      return `/${call.id}`
    case 'search page':
      return `/search?limit=100&query=${call.query}&offset=${call.offset}`
    case 'match':
      return `/match?limit=10&query=${encodeURIComponent(call.query)}`
  }
}
