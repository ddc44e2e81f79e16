import { strict as assert } from 'node:assert'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { DashboardScene } from '../scene.js'

/** The scene of the page that is being rendered, for elements that link or send. */
export const SceneContext = createContext<DashboardScene | undefined>(undefined)

/** The scene of the page. To be called while it is rendered. */
export function useScene(): DashboardScene {
  const scene = useContext(SceneContext)
  assert(scene !== undefined, 'elements are rendered inside a frame')
  return scene
}
