const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Milliseconds of `30s`, `15m`, `24h` or `30d`, or of `0`; undefined when it is none of these. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? []
  return digits === undefined ? undefined : Number(digits) * (UNIT_MS[unit ?? ''] ?? 0)
}

/**
 * The reverse of {@link parseDuration}, in the largest unit that divides it. @param ms whole
 * seconds
 */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0'
  const units = Object.entries(UNIT_MS).toReversed()
  const [unit, unitMs] = units.find(([, size]) => ms % size === 0) ?? ['s', 1_000]
  return `${ms / unitMs}${unit}`
}
