// Settings of the processes that run test files, here and in the matrix.

/** Generated data are garbage soon: with a larger young generation, collecting them is cheaper. */
export const NODE_OPTIONS: readonly string[] = ['--max-semi-space-size=64']

/**
 * Settings of glibc's malloc: freed memory stays with the process. Otherwise each index of a test
 * is in new pages, and page faults take up to a quarter of a test's time. room.ts keeps them from
 * the programs under test.
 */
export const MALLOC_SETTINGS: Readonly<Record<string, string>> = {
  MALLOC_MMAP_THRESHOLD_: '33554432',
  MALLOC_TRIM_THRESHOLD_: '2147483648',
  MALLOC_TOP_PAD_: '16777216',
}
