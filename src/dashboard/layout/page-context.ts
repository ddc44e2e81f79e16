import { strict as assert } from 'node:assert'
import { createContext, useContext } from '../../browser/jsx.js'
import type { DashboardContext } from '../dashboard-context.js'

/** The context of the page that is being rendered, for elements that link or send. */
export const PageContext = createContext<DashboardContext | undefined>(undefined)

/** The context of the page. To be called while it is rendered. */
export function usePageContext(): DashboardContext {
  const context = useContext(PageContext)
  assert(context !== undefined, 'elements are rendered inside a frame')
  return context
}
