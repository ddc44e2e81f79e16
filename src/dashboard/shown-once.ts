import type { DashboardContext } from './dashboard-context.js'

/** A new secret, for the one page that shows it. */
export interface MadeSecret {
  /** The id of a key, or a client_id. */
  readonly id: string
  /** Absent = a public client. */
  readonly secret?: string | undefined
}

/** Keeps the secret for the page after the redirect. @returns that page's path with its query */
export function pathShowing(context: DashboardContext, path: string, made: MadeSecret): string {
  return `${path}?made=${context.notes.put(context.session, JSON.stringify(made))}`
}

/** The secret that the page shows this once; undefined = none, or no longer. */
export function takeMade({ notes, session, query }: DashboardContext): MadeSecret | undefined {
  const text = notes.take(session, query.value('made'))
  return text === undefined ? undefined : (JSON.parse(text) as MadeSecret)
}
