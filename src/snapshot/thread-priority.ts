import { constants, setPriority } from 'node:os'

/**
 * How far a thread's priority is lowered: `some` where a caller waits, `most` in the background.
 */
export type ThreadPriority = 'some' | 'most'

const PRIORITIES = {
  some: constants.priority.PRIORITY_BELOW_NORMAL,
  most: constants.priority.PRIORITY_LOW,
} as const

/**
 * Lowers the priority of the calling thread below the request thread's, for as long as it lives.
 * On Linux alone, where a thread has a priority of its own: elsewhere it is the process's. Where
 * the system forbids it, the thread works as before.
 */
export function lowerPriority(how: ThreadPriority): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(PRIORITIES[how])
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}
