import type { Form } from '../wire/form.js'

/** Where in a list a page begins, by its URL; 0 when that says nothing sensible. */
export function offsetOf(query: Form): number {
  const asked = query.value('offset') ?? ''
  return /^\d{1,9}$/.test(asked) ? Number(asked) : 0
}
