import type { BigIntStats } from 'node:fs'

/** Equal for a file that was neither written nor replaced; a renaming does not change it. */
export function stampOf({ dev, ino, size, mtimeNs }: BigIntStats): string {
  return `${dev} ${ino} ${size} ${mtimeNs}`
}
