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
    ['1001, 1002 u. 1003', []],
    ['0815/16', []],
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
      membersOf(text).map((member) => member.text),
      expected,
      text,
    )
  }
  t.equal(membersOf('RE 2024-0815/16')[0]?.from, 13)
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
