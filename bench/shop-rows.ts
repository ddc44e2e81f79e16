import { ibanOf } from '../src/demo/check-digits.js'
import { type Random, randomOf } from '../src/demo/random.js'
import { emptyAccountRow, emptyTransactionRow } from '../src/store/empty-rows.js'
import type { WorkspaceFile } from '../src/store/sqlite/workspace-file.js'

/** Customers of the shop, each with a name of its own. */
export const NAME_COUNT = 300_000

/** Words of the shop's articles. */
export const WORD_COUNT = 100_000

const LAST_NAME_COUNT = 60_000

const DAY_MS = 86_400_000
const LAST_DAY_MS = 1_793_404_800_000
const ROWS_PER_DAY = 2_000

/** Shares of the accounts in a thousand rows. */
const ACCOUNT_SHARES = [900, 950, 990, 1_000]

/** A prime larger than the rows of any corpus: multiples of a number are distinct below it. */
const ORDER_MODULUS = 20_000_003
const ORDER_FACTOR = 7_368_787

const CONSONANTS = 'bdfghklmnprstvwz'
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ei', 'au', 'ie']
const ENDINGS = ['', 'n', 'r', 's', 'l', 'k', 'm', 't']

/**
 * Fills an empty workspace with the bookings of a shop: its customers and the words of its articles
 * are many, and as frequent as their rank says (Zipf's law); each booking has an order number and
 * an end-to-end reference of its own. Equal options give equal rows.
 */
export async function fillShop(
  file: WorkspaceFile,
  { transactions, seed }: { readonly transactions: number; readonly seed: number },
): Promise<void> {
  const random = randomOf(seed)
  const firstDayMs = LAST_DAY_MS - Math.ceil(transactions / ROWS_PER_DAY) * DAY_MS
  await file.atomically(async () => {
    const accountIds = ACCOUNT_SHARES.map((_, at) => insertShopAccount(file, at, firstDayMs))
    const categoryIds = ['Verkauf', 'Erstattung'].map((name) =>
      file.insertCategory({ id: null, name, parentId: null }),
    )
    for (let number = 0; number < transactions; number++) {
      const bookedAt = firstDayMs + Math.floor(number / ROWS_PER_DAY) * DAY_MS
      const share = random.below(1_000)
      const account = ACCOUNT_SHARES.findIndex((end) => share < end)
      const isRefund = random.chance(60)
      const customer = rankOf(random, NAME_COUNT)
      const order = (((number + 1) * ORDER_FACTOR) % ORDER_MODULUS).toString().padStart(8, '0')
      const cents = random.between(199, 29_999)
      file.insertTransaction(
        {
          ...emptyTransactionRow(accountIds[account] ?? 0, 'EUR', bookedAt),
          bookedAt,
          valuedAt: bookedAt,
          amountUnscaled: isRefund ? -cents : cents,
          amountScale: 2,
          categoryId: categoryIds[isRefund ? 1 : 0] ?? null,
          counterpartName: customerName(customer),
          counterpartIban: ibanOf('DE', `50010517${customer.toString().padStart(10, '0')}`),
          purpose: `${isRefund ? 'Erstattung' : 'Bestellung'} ${order} ${articleWords(random)}`,
          endToEndReference: `SHOP${seed}X${order}`,
        },
        null,
      )
    }
  })
}

function insertShopAccount(file: WorkspaceFile, at: number, createdAt: number): number {
  const accountNumber = String(4_711_000 + at)
  const iban = ibanOf('DE', `37040044${accountNumber.padStart(10, '0')}`)
  const name = `Konto ${at + 1}`
  return file.insertAccount({ ...emptyAccountRow('EUR', createdAt), name, accountNumber, iban })
}

/** A rank from 0 to `count - 1`, as often as Zipf's law with the exponent 1 says. */
function rankOf(random: Random, count: number): number {
  const share = random.below(2 ** 32) / 2 ** 32
  return Math.min(count - 1, Math.floor((count + 1) ** share) - 1)
}

function articleWords(random: Random): string {
  const count = random.between(3, 6)
  return Array.from({ length: count }, () => articleWord(rankOf(random, WORD_COUNT))).join(' ')
}

/** The name of a customer by rank; no two have the same. */
export function customerName(rank: number): string {
  const first = spelled(1_000 + Math.floor(rank / LAST_NAME_COUNT) + 5 * (rank % 300))
  const last = spelled(200_000 + (rank % LAST_NAME_COUNT))
  return `${capitalized(first)} ${capitalized(last)}`
}

/** A word by rank; no two are the same. */
export function articleWord(rank: number): string {
  return spelled(10_000_000 + rank)
}

/** A number in syllables; no two numbers are spelled the same. */
function spelled(number: number): string {
  let text = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 1_024)) {
    const digit = rest % 1_024
    const consonant = CONSONANTS[digit % 16] ?? ''
    const vowel = VOWELS[Math.floor(digit / 16) % 8] ?? ''
    text += consonant + vowel + (ENDINGS[Math.floor(digit / 128)] ?? '')
  }
  return text
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
