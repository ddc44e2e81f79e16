import { constants, setPriority } from 'node:os'

/**
 * How far a thread's priority is lowered: `some` for work that a caller waits for, `most` for work
 * in the background.
 */
export type ThreadPriority = 'some' | 'most'

const PRIORITIES = {
  some: constants.priority.PRIORITY_BELOW_NORMAL,
  most: constants.priority.PRIORITY_LOW,
} as const

/**
 * Lowers the priority of the calling thread below the request thread's, for its lifetime. Has an
 * effect on Linux alone, where a thread has a priority of its own: elsewhere the process has one.
 * Where the system forbids it, the thread works as before.
 */
export function lowerPriority(how: ThreadPriority): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(PRIORITIES[how])
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}
