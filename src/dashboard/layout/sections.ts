import type { IconName } from './icon.js'

/** A section of the dashboard, as its navigation lists it. */
export interface Section {
  readonly text: string
  /** Pages below it belong to it. */
  readonly path: string
  readonly icon: IconName
}

/** In the order of the navigation. */
export const SECTIONS: readonly Section[] = [
  { text: 'Overview', path: '/dashboard', icon: 'overview' },
  { text: 'Workspaces', path: '/dashboard/workspaces', icon: 'workspaces' },
  { text: 'Keys', path: '/dashboard/keys', icon: 'keys' },
  { text: 'Integrations', path: '/dashboard/integrations', icon: 'integrations' },
  { text: 'Activity', path: '/dashboard/activity', icon: 'activity' },
  { text: 'Operators', path: '/dashboard/operators', icon: 'operators' },
  { text: 'API reference', path: '/docs', icon: 'reference' },
]

/**
 * The section that a page belongs to. The overview has no pages below it; the keys and integrations
 * of a workspace belong to their own sections.
 */
export function sectionOf(path: string): Section | undefined {
  const [, part] = /^\/dashboard\/workspaces\/[^/]+\/(keys|integrations)(?:\/|$)/.exec(path) ?? []
  const shown = part === undefined ? path : `/dashboard/${part}`
  return SECTIONS.find(
    ({ path: top }) => shown === top || (top !== '/dashboard' && shown.startsWith(`${top}/`)),
  )
}
