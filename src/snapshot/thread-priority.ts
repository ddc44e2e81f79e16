import { constants, setPriority } from 'node:os'

/**
 * How much a thread gives way: `some` for what a caller waits for, `most` for what is done beside.
 */
export type GivingWay = 'some' | 'most'

const PRIORITIES = {
  some: constants.priority.PRIORITY_BELOW_NORMAL,
  most: constants.priority.PRIORITY_LOW,
} as const

/**
 * Has the thread that calls it give way to the one that answers requests, for as long as it lives.
 * On Linux alone, where a thread has a priority of its own: elsewhere it is the process's. Where
 * the system forbids it, the thread works as before.
 */
export function giveWay(how: GivingWay): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(PRIORITIES[how])
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
  }
}
