import { type CodeSpan, characterOf, GAP_BLANK, GAP_STRONG, isDigit, MASKED } from './codes.js'

/** Codes between blanks or strong gaps; `to` is exclusive. */
export interface Chunk {
  from: number
  to: number
  hasDigits: boolean
}

/**
 * The chunks of a query, in order. Masked codes are in none; codes of `plain` that are masked only
 * in `codes` are a date that is the reference, and stay together.
 * @param begins starts of the masks
 */
export function chunksOf(
  { codes, gaps }: Pick<CodeSpan, 'codes' | 'gaps'>,
  plain: Uint8Array,
  begins: ReadonlySet<number>,
): Chunk[] {
  const chunks: Chunk[] = []
  for (let i = 0; i < codes.length; i++) {
    const code = plain[i]! // as long as codes
    if (code >= MASKED) continue
    const last = chunks.at(-1)
    const gap = gaps[i]! // as long as codes
    // Inside a date that is the reference.
    const isMask = code !== codes[i] && i > 0 && codes[i - 1]! >= MASKED && !begins.has(i)
    if (last?.to === i && (isMask || (gap !== GAP_BLANK && gap < GAP_STRONG))) {
      last.to = i + 1
      last.hasDigits ||= isDigit(code)
    } else {
      chunks.push({ from: i, to: i + 1, hasDigits: isDigit(code) })
    }
  }
  return chunks
}

/** The letters and digits from one place to before another. */
export function textOf(codes: Uint8Array, from: number, to: number): string {
  return Array.from(codes.subarray(from, to), characterOf).join('')
}
