import type { Tool } from './tool.js'

/** Every tool there is, in the order they are shown. */
export const TOOLS: readonly Tool[] = []
