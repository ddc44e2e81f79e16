/** Masks whose values are known; the one that was used least recently is forgotten. */
const KNOWN_MASKS_MAX = 20_000

/** IBANs that end alike; of more, the mask says nothing. */
const VALUES_PER_MASK_MAX = 8

/** The value that a mask stands for: a counterpart's name, or the IBAN of either side. */
export type MaskedKind = 'name' | 'accountIban' | 'counterpartIban'

/**
 * The values behind masks of earlier answers, per integration, so that an agent can ask for what it
 * was shown. In memory alone, and bounded: an old mask, or one from before a restart, is unknown.
 */
export class MaskedValues {
  readonly #known = new Map<string, readonly string[]>()

  /** @param maskedCountMax of all integrations */
  constructor(private readonly maskedCountMax = KNOWN_MASKS_MAX) {}

  /** Remembers that the integration was shown the mask in place of the value. */
  remember(integrationId: string, kind: MaskedKind, mask: string, value: string): void {
    const key = keyOf(integrationId, kind, mask)
    const values = this.#known.get(key) ?? []
    if (values.includes(value) || values.length === VALUES_PER_MASK_MAX) return
    this.#known.delete(key)
    this.#known.set(key, [...values, value])
    if (this.#known.size <= this.maskedCountMax) return
    const [oldest] = this.#known.keys()
    if (oldest !== undefined) this.#known.delete(oldest)
  }

  /** The values that the mask stood for; none when it is unknown. */
  valuesOf(integrationId: string, kind: MaskedKind, mask: string): readonly string[] {
    const key = keyOf(integrationId, kind, mask)
    const values = this.#known.get(key)
    if (values === undefined) return []
    // The last of a Map is the one that was used last.
    this.#known.delete(key)
    this.#known.set(key, values)
    return values
  }
}

function keyOf(integrationId: string, kind: MaskedKind, mask: string): string {
  return `${integrationId} ${kind} ${mask}`
}
