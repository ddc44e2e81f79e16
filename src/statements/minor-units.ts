/** Currencies of ISO 4217 without the usual two decimals. */
const DECIMALS: ReadonlyMap<string, number> = new Map([
  ...['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI'].map(
    (currency) => [currency, 0] as const,
  ),
  ...['VND', 'VUV', 'XAF', 'XOF', 'XPF'].map((currency) => [currency, 0] as const),
  ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((currency) => [currency, 3] as const),
  ...['CLF', 'UYW'].map((currency) => [currency, 4] as const),
])

/** The decimals of amounts in a currency: cents have 2, yen 0. @param currency ISO 4217 code */
export function decimalsOf(currency: string): number {
  return DECIMALS.get(currency) ?? 2
}
