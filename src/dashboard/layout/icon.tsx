import type { VNode } from '../../browser/jsx.js'

/** Lines on a field of 20 by 20. */
const PATHS = {
  overview: 'M3 4h14M3 8h9M3 12h14M3 15.5h14M3 18h14',
  workspaces: 'M2.5 6.5h15v10h-15zM2.5 6.5 4.5 3h11l2 3.5M8 10h4',
  explorer: 'M9 3a6 6 0 1 0 0 12A6 6 0 0 0 9 3zM13.5 13.5 18 18',
  keys: 'M7 9.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM9.5 10.5 17 3M14 6l2.5 2.5M11.5 8.5 13 10',
  integrations: 'M7 3v4M13 3v4M4.5 7h11v3a5.5 5.5 0 0 1-11 0zM10 15.5V18',
  operators: 'M10 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM4 17c0-3.5 2.5-5.5 6-5.5s6 2 6 5.5',
  activity: 'M2 11h3.5l2.5-7 4 13 2.5-6H18',
  reference:
    'M10 5C8 3.5 5 3.5 2.5 4v12c2.5-.5 5.5-.5 7.5 1 2-1.5 5-1.5 7.5-1V4C15 3.5 12 3.5 10 5zm0 0v12',
} as const

/** The names of all icons. */
export type IconName = keyof typeof PATHS

/** An icon next to a word of the same meaning; hidden from screen readers. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
