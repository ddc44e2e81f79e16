import type { Form } from '../wire/form.js'

/** Workspaces on one page of a list. */
export const WORKSPACES_PER_PAGE = 50

/** Keys, clients or grants on one page of a list. */
export const KEYS_PER_PAGE = 50

/** The offset of a page in a list, from its URL; 0 when it is absent or malformed. */
export function offsetOf(query: Form): number {
  const asked = query.value('offset') ?? ''
  return /^\d{1,9}$/.test(asked) ? Number(asked) : 0
}
