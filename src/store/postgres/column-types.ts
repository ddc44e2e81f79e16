const INSTANT_MIN = -62_167_219_200_000
const INSTANT_MAX = 253_402_300_799_999

/** Type of all texts: compared bytewise, as in SQLite, whatever the database's locale. */
export const TEXT = 'TEXT COLLATE "C"'

/** Definition of a column of epoch milliseconds within years 0 to 9999. */
export function instant(column: string, requirement: 'NOT NULL' | ''): string {
  const range = `BETWEEN ${INSTANT_MIN} AND ${INSTANT_MAX}`
  return `${column} BIGINT ${requirement} CHECK (${column} ${range})`
}
