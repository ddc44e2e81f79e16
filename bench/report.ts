import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** The file of recorded figures. */
export const RESULTS_PATH = resolve(import.meta.dirname, '../../bench/results.md')

/** A figure with a bound that it must reach or must not exceed. */
export interface Target {
  readonly what: string
  readonly measured: number
  readonly unit: string
  readonly bound: number
  readonly direction: 'at least' | 'at most'
  /** A further goal beyond the bound. */
  readonly aim?: number
  /** What keeps the figure from its bound, where that is known: a sentence for a miss. */
  readonly obstacle?: string
}

/** A figure that must not exceed its bound. */
export function atMost(what: string, measured: number, unit: string, bound: number): Target {
  return { what, measured, unit, bound, direction: 'at most' }
}

/** `PASS`, `MISS`, or `-` for a figure that could not be measured. */
export function verdictOf({ measured, bound, direction }: Target): 'PASS' | 'MISS' | '-' {
  if (Number.isNaN(measured)) return '-'
  return (direction === 'at least' ? measured >= bound : measured <= bound) ? 'PASS' : 'MISS'
}

/** The targets as a Markdown table, and below it the known obstacles of those that are missed. */
export function targetTable(targets: readonly Target[]): string {
  const rows = targets.map((target) => {
    const { what, unit, measured, bound, direction, aim } = target
    const sign = direction === 'at least' ? '≥' : '≤'
    const hoped = aim === undefined ? '' : ` (aim ${shown(aim)})`
    const wanted = `${sign} ${shown(bound)} ${unit}${hoped}`
    return [what, `${shown(measured)} ${unit}`, wanted, verdictOf(target)]
  })
  const obstacles = targets
    .filter((target) => verdictOf(target) === 'MISS')
    .flatMap(({ obstacle }) => obstacle ?? [])
  const lines = [...new Set(obstacles)].map((obstacle) => `- MISS: ${obstacle}`)
  return [table(['target', 'measured', 'wanted', ''], rows), lines.join('\n')]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** A Markdown table. @param rows cells of each row, as many as the head has */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Three significant digits, whole thousands in groups; a dash for NaN and undefined. */
export function shown(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '-'
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en-US')
  return String(Number(value.toPrecision(3)))
}

/** Heading of a section of results; each major version of Node.js has its own sections. */
export function sectionName(bench: string): string {
  return `${bench} on Node.js ${Number.parseInt(process.versions.node, 10)}`
}

/**
 * Writes a bench's section into the file of results, replacing that of an earlier run.
 * @param section Markdown that begins with `## NAME`
 */
export function recordSection(path: string, name: string, section: string): void {
  const text = readFileSync(path, 'utf8')
  const parts = text.split(/^(?=## )/m)
  const others = parts.filter((part) => !part.startsWith(`## ${name}\n`))
  const [head = '', ...rest] = others
  const sections = [...rest, section].map((part) => `${part.trimEnd()}\n`)
  writeFileSync(path, [`${head.trimEnd()}\n`, ...sections.sort()].join('\n'))
}
