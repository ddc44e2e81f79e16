// The kernel's figures of a process (proc(5)). They exist on Linux only: elsewhere each figure is
// undefined, and a report shows a dash.
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Microseconds of one clock tick of /proc/PID/stat: USER_HZ is 100 on every Linux in use. */
const TICK_US = 10_000

function readFigures(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  }
}

/** Fields of /proc/PID/stat after the program's name, which is in parentheses. */
function statFields(pid: number): string[] | undefined {
  const text = readFigures(`/proc/${pid}/stat`)
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** CPU time that all threads of the process have used, user and system, in microseconds. */
export function cpuMicroseconds(pid: number): number | undefined {
  const fields = statFields(pid)
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_US
}

/** CPU time of a process and of all its children, those that have ended included; microseconds. */
export function familyCpuMicroseconds(pid: number): number | undefined {
  const fields = statFields(pid)
  const children = readFigures(`/proc/${pid}/task/${pid}/children`)
  if (fields === undefined || children === undefined) return undefined
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * TICK_US
  const running = children.split(' ').filter((child) => child !== '')
  return running.reduce((sum, child) => sum + (cpuMicroseconds(Number(child)) ?? 0), own)
}

/** @returns the process that started this one; undefined when the system does not report it */
export function parentOf(pid: number): number | undefined {
  const fields = statFields(pid)
  return fields && Number(fields[1])
}

/** Memory and threads of a process; bytes. */
export interface MemoryFigures {
  readonly residentBytes: number
  readonly peakResidentBytes: number
  readonly threadCount: number
}

/** @returns undefined when the process has ended or the system does not report it */
export function memoryFigures(pid: number): MemoryFigures | undefined {
  const text = readFigures(`/proc/${pid}/status`)
  if (text === undefined || !text.includes('VmRSS:')) return undefined
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1] ?? Number.NaN)
  return {
    residentBytes: kilobytes('VmRSS') * 1024,
    peakResidentBytes: kilobytes('VmHWM') * 1024,
    threadCount: Number(/^Threads:\s+(\d+)$/m.exec(text)?.[1]),
  }
}

/** The system counts CPU time in steps of 10 ms: a tenth of this is seen. */
export const REST_MS = 500

/**
 * Resolves when a process is nearly idle, for two periods of `restMs` in a row; at once where the
 * system does not report CPU time.
 */
export async function untilAtRest(pid: number, restMs = REST_MS): Promise<void> {
  for (let restCount = 0; restCount < 2; ) {
    const before = cpuMicroseconds(pid)
    await wait(restMs)
    const after = cpuMicroseconds(pid)
    if (before === undefined || after === undefined) return
    restCount = after - before < restMs * 100 ? restCount + 1 : 0
  }
}
