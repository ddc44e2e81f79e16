import { test } from 'tap'
import { Pagination } from '../../../src/dashboard/elements/pagination.js'
import { rendered } from '../../fixtures/dashboard-context.js'

function pages(offset: number, total: number): string {
  return rendered(
    <Pagination limit={10} pageAt={(at) => `/p?offset=${at}`} {...{ offset, total }} />,
  )
}

test('a page links to its neighbours and shows its position', async (t) => {
  t.equal(pages(0, 10), '')
  t.match(
    pages(0, 1_011),
    /<span><\/span><span class="soft">1–10 of 1,011<\/span><a href="\/p\?offset=10">/,
  )
  t.match(
    pages(1_010, 1_011),
    /<a href="\/p\?offset=1000">.*1,011–1,011 of 1,011<\/span><span><\/span>/,
  )
  t.match(pages(5, 11), 'href="/p?offset=0"')
  t.match(pages(50, 11), /href="\/p\?offset=10">.*None of 11<\/span><span>/, 'past the end')
})
