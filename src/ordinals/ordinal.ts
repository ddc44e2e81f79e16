declare const brand: unique symbol

/**
 * 0-based row of one segment's columns. Ordinal 0 has the greatest id, so ascending ordinals are
 * descending ids: the default order of a list. Never sent to a caller.
 */
export type Ordinal = number & { readonly [brand]: 'row of one segment, 0-based' }

/** Marks a row that has no ordinal in another segment, because it is not copied to it. */
export const ROW_GONE = 0xffff_ffff
