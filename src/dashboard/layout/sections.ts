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
]

/** The section that a page belongs to; the overview has no pages below it. */
export function sectionOf(path: string): Section | undefined {
  return SECTIONS.find(
    ({ path: top }) => path === top || (top !== '/dashboard' && path.startsWith(`${top}/`)),
  )
}
