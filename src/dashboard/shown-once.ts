import type { DashboardContext } from './dashboard-context.js'

/** A secret that was just made, for the one page that shows it. */
export interface MadeSecret {
  /** The id of a key, or a client_id. */
  readonly id: string
  /** Absent = a client without one. */
  readonly secret?: string | undefined
}

/** Keeps it for the page behind the redirect. @returns that page's path with its query */
export function pathShowing(context: DashboardContext, path: string, made: MadeSecret): string {
  return `${path}?made=${context.notes.put(context.session, JSON.stringify(made))}`
}

/** The secret that the page shows this once; undefined = none, or no longer. */
export function takeMade({ notes, session, query }: DashboardContext): MadeSecret | undefined {
  const text = notes.take(session, query.value('made'))
  return text === undefined ? undefined : (JSON.parse(text) as MadeSecret)
}
