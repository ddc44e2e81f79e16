import type { UnitSpan } from './masks.js'

/**
 * A member of a list, written out.
 *
 *   FIELD       HOLDS
 *   text        the plain text it stands for: `2024-0816` for the `16` of `2024-0815/16`
 *   from        unit of the plain text where the list begins, and with it what the members share
 *   to          unit after the member
 *   isBetween   whether it only lies between the ends of a range
 */
export interface ListMember {
  readonly text: string
  readonly from: number
  readonly to: number
  readonly isBetween: boolean
}

/** Maximum members of one field; a purpose has 140 characters. */
const MEMBERS_MAX = 16

/** Maximum step from one member to the next: a list of invoices ascends in small steps. */
export const STEP_MAX = 20

/** Minimum digits of a number that `-30` may continue as a range, and of one that `/16` may. */
const RANGE_LENGTH_MIN = 5
const SLASH_LENGTH_MIN = 6

const AND = '(?:U(?:ND)?|AND|ET|Y|EN|E|OG|OCH|SOWIE)'
/** `, ` and `/`, `u. `, and a hyphen or dots in place of the omitted digits: `, -83`. */
const JOINT = `(?: ?[/,+&;] ?(?:${AND}\\.? ?)?(?:-|\\.\\.)?| ${AND}\\.? ?(?:-|\\.\\.)?| -)`
/** Between the ends of a range. */
const RANGE = '(?:-| - |\\.\\.\\.?| (?:BIS|TO|T/M|TOT|TILL|AU|AL) )'
const MAYBE_LIST = new RegExp(`\\d{3}(?:${JOINT}|${RANGE})\\d\\d`, 'i')
/**
 * Bounds that keep the time for a hostile text linear: no reference has more groups, nor longer
 * ones, since all of it has 35 characters.
 */
const GROUP = '[A-Z\\d]{1,35}[-/._]'
const LIST = new RegExp(
  `((?:${GROUP}){0,8}?[A-Z]{0,35})(\\d{3,35})` +
    `((?:(?:${JOINT}|${RANGE})\\d{2,35}(?![\\dA-Z]|[-_.][\\dA-Z]))+)`,
  'gi',
)
/** The longest separator has eight characters. */
const MEMBER = /(\D{0,8})(\d\d+)/g
const RANGE_JOINT = new RegExp(`^${RANGE}$`, 'i')

/**
 * The members of lists that omit their common part with the first (`2024-0815/16/17`,
 * `37082, -83 und -84`), and those of ranges (`82991 - 82997`). A number is one when it has as many
 * digits as the first's last group or fewer, and lies 1 to 20 above the end of the member before.
 * @param masks of the text: 3.458,74 is an amount and no list of 3.458 and 3.474
 */
export function listMembers(text: string, masks: readonly UnitSpan[]): ListMember[] {
  if (!MAYBE_LIST.test(text)) return []
  const members: ListMember[] = []
  for (const list of withoutMasks(text, masks).matchAll(LIST)) {
    const [whole, head = '', first = '', rest = ''] = list
    if (isYear(head, first, rest)) continue
    const restFrom = list.index + whole.length - rest.length
    readMembers({ head, first, rest, from: list.index, restFrom }, members)
  }
  return members
}

/** 0815/16 alone is number 0815 of the year 2016, RG/2022/36 number 36 of 2022. */
function isYear(head: string, first: string, rest: string): boolean {
  if (/\d/.test(head) || !/^ ?\/ ?\d\d$/.test(rest)) return false
  return first.length < SLASH_LENGTH_MIN
}

/** The text with masked characters replaced by one that no list has. */
function withoutMasks(text: string, masks: readonly UnitSpan[]): string {
  let kept = ''
  let at = 0
  for (const { from, to } of masks) {
    kept += text.slice(at, from) + '!'.repeat(to - from)
    at = to
  }
  return kept + text.slice(at)
}

interface List {
  head: string
  first: string
  readonly rest: string
  readonly from: number
  readonly restFrom: number
}

function readMembers(list: List, members: ListMember[]): void {
  let last = list.first
  for (const { 0: whole, 1: joint = '', 2: digits = '', index } of list.rest.matchAll(MEMBER)) {
    const step = Number(digits) - Number(last.slice(-digits.length))
    const isNear = digits.length <= list.first.length && step >= 1 && step <= STEP_MAX
    const isRange = RANGE_JOINT.test(joint)
    if (isNear && !(isRange && !mayBeRange(list, joint, digits))) {
      const to = list.restFrom + index + whole.length
      const place = { from: list.from, to }
      const between = isRange ? numbersBetween(last, step) : []
      last = last.slice(0, -digits.length) + digits
      const isWhole = digits.length === list.first.length && list.head === ''
      const added = [
        ...(isWhole ? [] : [{ text: list.head + last, ...place, isBetween: false }]),
        ...between.map((number) => ({ text: list.head + number, ...place, isBetween: true })),
      ]
      for (const member of added) {
        if (members.length === MEMBERS_MAX) return
        members.push(member)
      }
    } else if (/^[-/]$/.test(joint) && last === list.first && digits.length >= 3) {
      // 2024-0815/16: the numbers before it belong to the head.
      list.head += `${last}${joint}`
      list.first = digits
      last = digits
    } else {
      return
    }
  }
}

/** Whether a hyphen is one of a range: 2024-2031 is number 2031 of a year, 48213-15 a suffix. */
function mayBeRange({ head, first }: List, joint: string, digits: string): boolean {
  if (joint !== '-') return true
  const hasGroups = /\d/.test(head)
  if (digits.length < first.length) return hasGroups || first.length >= RANGE_LENGTH_MIN
  return hasGroups || !/^(?:19|20)\d\d$/.test(first)
}

/** The numbers after one and before that which is `step` more. */
function numbersBetween(number: string, step: number): string[] {
  return Array.from({ length: step - 1 }, (_, i) => {
    return String(BigInt(number) + BigInt(i + 1)).padStart(number.length, '0')
  })
}
