import { test } from 'tap'
import { type ListMember, listMembers } from '../../src/match/lists.js'
import { masksOf } from '../../src/match/masks.js'

function membersOf(text: string): readonly ListMember[] {
  return listMembers(text, masksOf(text))
}

test('members of a list are expanded', async (t) => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['RE 2024-0815/16/17', ['2024-0816', '2024-0817']],
    ['RE-2024-0815, 0816 u. 0817', ['RE-2024-0816', 'RE-2024-0817']],
    ['2024-0815 und 16', ['2024-0816']],
    ['INV2024-0998+999', ['INV2024-0999']],
    ['1098, 99', ['1099']],
    ['FA-2021-4702/4703/4704', ['FA-2021-4703', 'FA-2021-4704']],
    ['2024/0815/16', ['2024/0816']],
    ['FA-2021-2049/2050 / 21.11.2020', ['FA-2021-2050']],
    ['37082, -83, -84', ['37083', '37084']],
    ['Invoices 83127, -28, -29 und -30', ['83128', '83129', '83130']],
    ['83127 -28 -29', ['83128', '83129']],
    ['83127; -28', ['83128']],
    ['83127,..28', ['83128']],
    ['INV-280867/68/69', ['INV-280868', 'INV-280869']],
    ['280867/68', ['280868']],
    ['RE 2024-1603, -04, -05', ['2024-1604', '2024-1605']],
    ['1001, 1002 u. 1003', []],
    ['2024-2031', []],
    ['2024-2031-X', []],
    ['0815-16', []],
    ['48213-15', ['48215', '(48214)']],
    ['48213 bis 48215', ['(48214)']],
    ['48213..16', ['48216', '(48214)', '(48215)']],
    ['R-24/82991 - 82993', ['R-24/82993', '(R-24/82992)']],
    ['0998-1001', ['(0999)', '(1000)']],
    ['0815/16', []],
    ['72945/47/49', ['72947', '72949']],
    ['RG/2022/36', []],
    ['2024-0815/14', []],
    ['2024-0815/99', []],
    ['2024-0815/2016', []],
    ['RE 2024-0815', []],
    ['Betrag 3.458,74 EUR', []],
    ['Kd. 59715, 24-0011', []],
    ['RE 59715, 24 - danke', ['59724']],
  ]
  for (const [text, expected] of rows) {
    t.same(
      membersOf(text).map(({ text: member, isBetween }) => (isBetween ? `(${member})` : member)),
      expected,
      text,
    )
  }
  const [member] = membersOf('RE 2024-0815/16 x')
  t.same([member?.from, member?.to], [3, 15])
})

test('a long text is parsed in bounded time', async (t) => {
  const tail = ' 2024-0815/16'
  for (const unit of ['A', '1', 'A-', '1-', 'A1-', '1234-', '123/45X', ' u. ']) {
    const found = membersOf(`${unit.repeat(200_000)}${tail}`)
    t.match(found.at(-1)?.text, /2024-0816$/, unit)
  }
})

test('no more members than fit in a purpose', async (t) => {
  const tails = Array.from({ length: 50 }, (_, i) => String(i + 16))
  t.equal(membersOf(`2024-0815/${tails.join('/')}`).length, 16)
})
