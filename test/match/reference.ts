import { test } from 'tap'
import { ApiError } from '../../src/errors.js'
import { characterOf } from '../../src/match/codes.js'
import { parseReference } from '../../src/match/reference.js'
import type { UnitSet } from '../../src/match/unit-set.js'

function coresOf({ units }: UnitSet): string[] {
  return units.map((unit) => Array.from(unit.codes, characterOf).join(''))
}

function parsed(query: string): string {
  const { primary, secondary, words } = parseReference(query)
  const texts = words.units.map(({ forms }) => Array.from(forms[0] ?? [], characterOf).join(''))
  return [coresOf(primary), coresOf(secondary), texts].map((part) => part.join(' ')).join(' | ')
}

test('a query consists of its references and its words', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['RE-2024-0815', '20240815 |  | '],
    ['RE 2024 0815', '20240815 |  | '],
    ['Rechnung Nr. 2024-0815', '20240815 |  | '],
    ['Rechnugn 2024-0815', '20240815 |  | '],
    ['K46X-0815', 'K46X0815 |  | '],
    ['MUE 2024 0815', 'MUE20240815 |  | '],
    ['Mueller 2024-0815', '20240815 |  | MUELLER'],
    ['Zahlung zu RE-2024-0815 vom 03.05.2024', '20240815 | 0305 | '],
    ['03.05.2024', '03052024 030524 20240503 |  | '],
    ['RE 1001, 1002 u. 1003', '1001 1002 1003 |  | '],
    ['RE-2024-0815 Kunde 10972', '20240815 | 10972 | '],
    ['Kunde 10972 RE-2024-0815', '20240815 | 10972 | '],
    ['Kunde 10972', '10972 |  | '],
    ['1234567 7654321', '12345677654321 1234567 7654321 |  | '],
    ['4711234 4711235 4711236', '4711234 4711235 4711236 |  | '],
    ['305 3674858 7310755', '30536748587310755 | 3674858 7310755 | '],
    ['ARN 7460 9055 1111 2222', '7460905511112222 |  | ARN'],
    ['0014165999 07/19', '0014165999 | 0719 | '],
    ['Software 13.09.2017', '13092017 130917 20170913 |  | SOFTWARE'],
    ['huur 1-2-2010', '01022010 010210 20100201 |  | HUUR'],
    ['huur mrt. 2010', 'MAR2010 |  | HUUR'],
    ['Return R02', 'R02 |  | RETURN'],
    ['17 October 2013', '17OCT2013 |  | '],
    ['LOT 20180419-14:37:07', '20180419143707 | 20180419 | LOT'],
    ['20180419:LOT:3', '20180419LOT3 | 20180419 | '],
    ['Bergbahn Ticket', ' |  | BERGBAHN TICKET'],
    ['Rechnung', ' |  | RECHNUNG'],
    ['RE', ' |  | RE'],
    ['R1', 'R1 |  | '],
    ['N000001861650', '000001861650 |  | '],
    ['RE-2024-05-12', '20240512 |  | '],
    ['201403110/113', '201403110113 | 201403110 | '],
    ['taxi 16-08-14', '160814 |  | TAXI'],
    ['2018-03-01', '20180301 01032018 |  | '],
    ['1-1-2013 - 31-3-2013', '01012013 31032013 010113 20130101 310313 20130331 |  | '],
  ]
  for (const [query, expected] of rows) t.equal(parsed(query), expected, query)
})

function messageOf(query: string): string {
  try {
    parseReference(query)
  } catch (error) {
    if (error instanceof ApiError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'taken'
}

test('fewer than two letters or digits are refused', async (t) => {
  const refused = (count: number): string =>
    `invalid_parameter: query must have at least 2 letters or digits, not ${count}; ` +
    'for example query=RE-2024-0815'
  t.equal(messageOf(`1${'.'.repeat(100)}`), refused(1))
  t.equal(messageOf('\u0301\u0301\u0301'), refused(0))
  t.equal(messageOf('\u202e\u2066'), refused(0))
  t.equal(messageOf('Счёт'), refused(0))
  t.equal(messageOf('12'), 'taken')
  t.equal(messageOf('ä'), 'taken')
  t.equal(messageOf('1.............2'), 'taken')
})

test('24 runs of letters and digits are accepted, 25 are not', async (t) => {
  const runs = (count: number, joint: string): string =>
    Array.from({ length: count }, (_, i) => i % 10).join(joint)
  t.equal(messageOf(runs(24, ' ')), 'taken')
  t.equal(messageOf(runs(24, ',')), 'taken')
  t.match(messageOf(runs(25, ' ')), /at most 24 runs of letters and digits, not 25/)
  t.equal(messageOf(runs(24, 'A ')), 'taken')
  t.match(messageOf(runs(25, 'A-')), /not 25/)
  t.equal(messageOf('A1'.repeat(128)), 'taken')
  t.equal(messageOf('1'.repeat(256)), 'taken')
  t.equal(messageOf('a'.repeat(256)), 'taken')
  t.equal(messageOf('㎏'.repeat(256)), 'taken')
})
