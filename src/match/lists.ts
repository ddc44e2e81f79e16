import type { UnitSpan } from './masks.js'

/** A member of a list, written out. */
export interface ListMember {
  /** The plain text it stands for: `2024-0816` for the `16` of `2024-0815/16`. */
  readonly text: string
  /** Unit of the plain text where its written part begins. */
  readonly from: number
}

/** Maximum members of one field; a purpose has 140 characters. */
const MEMBERS_MAX = 16

/** Maximum step from one member to the next: a list of invoices ascends in small steps. */
export const STEP_MAX = 20

const JOINT = '(?: ?[/,+&] ?(?:U(?:ND)?\\.? ?)?| U(?:ND)?\\.? ?)'
const MAYBE_LIST = new RegExp(`\\d{3}${JOINT}\\d\\d`, 'i')
/**
 * Bounds that keep the time for a hostile text linear: no reference has more groups, nor longer
 * ones, since all of it has 35 characters.
 */
const GROUP = '[A-Z\\d]{1,35}[-/._]'
const LIST = new RegExp(
  `((?:${GROUP}){0,8}?[A-Z]{0,35})(\\d{3,35})((?:${JOINT}\\d{2,35}(?![\\dA-Z]|[-_.][\\dA-Z]))+)`,
  'gi',
)
/** The longest separator has eight characters. */
const MEMBER = /(\D{0,8})(\d{2,35})/g

/**
 * The members of lists that omit their common part with the first: `2024-0815/16/17`,
 * `2024-0815, 0816 u. 0817`. A number is one when it has as many digits as the first's last group
 * or fewer, and lies 1 to 20 above the end of the member before.
 * @param masks of the text: 3.458,74 is an amount and no list of 3.458 and 3.474
 */
export function listMembers(text: string, masks: readonly UnitSpan[]): ListMember[] {
  if (!MAYBE_LIST.test(text)) return []
  const members: ListMember[] = []
  for (const list of withoutMasks(text, masks).matchAll(LIST)) {
    const [whole, head = '', first = '', rest = ''] = list
    // 0815/16 alone is number 0815 of the year 2016, RG/2022/36 number 36 of 2022.
    if (!/\d/.test(head) && /^ ?\/ ?\d\d(?!\d)/.test(rest)) continue
    const restFrom = list.index + whole.length - rest.length
    readMembers({ head, first, rest, restFrom }, members)
  }
  return members
}

/** The text with masked characters replaced by one that no list has. */
function withoutMasks(text: string, masks: readonly UnitSpan[]): string {
  let kept = ''
  let at = 0
  for (const { from, to } of masks) {
    kept += text.slice(at, from) + ';'.repeat(to - from)
    at = to
  }
  return kept + text.slice(at)
}

interface List {
  head: string
  first: string
  readonly rest: string
  readonly restFrom: number
}

function readMembers(list: List, members: ListMember[]): void {
  let last = list.first
  for (const { 0: whole, 1: joint = '', 2: digits = '', index } of list.rest.matchAll(MEMBER)) {
    const step = Number(digits) - Number(last.slice(-digits.length))
    const isMember = digits.length <= list.first.length && step >= 1 && step <= STEP_MAX
    if (isMember) {
      if (members.length === MEMBERS_MAX) return
      last = last.slice(0, -digits.length) + digits
      const from = list.restFrom + index + whole.length - digits.length
      const isWhole = digits.length === list.first.length && list.head === ''
      if (!isWhole) members.push({ text: list.head + last, from })
    } else if (joint === '/' && last === list.first && digits.length >= 3) {
      // 2024/0815/16: the numbers before it belong to the head.
      list.head += `${last}/`
      list.first = digits
      last = digits
    } else {
      return
    }
  }
}
