import { test } from 'tap'
import { Badge } from '../../../src/dashboard/elements/badge.js'
import { CodeBlock } from '../../../src/dashboard/elements/code-block.js'
import { EmptyState } from '../../../src/dashboard/elements/empty-state.js'
import { IbanText } from '../../../src/dashboard/elements/iban-text.js'
import { Link } from '../../../src/dashboard/elements/link.js'
import { Notice } from '../../../src/dashboard/elements/notice.js'
import { Panel } from '../../../src/dashboard/elements/panel.js'
import { Facts, Stat, Stats } from '../../../src/dashboard/elements/stat.js'
import { Tabs } from '../../../src/dashboard/elements/tabs.js'
import { rendered } from '../../fixtures/dashboard-context.js'

test('elements escape their content and state their role', async (t) => {
  const evil = '"><script>'
  t.equal(
    rendered(<Badge variant="warn">{evil}</Badge>),
    '<span class="badge warn">&quot;>&lt;script></span>',
  )
  t.match(rendered(<Notice variant="bad">no</Notice>), 'class="notice bad" role="alert"')
  t.match(
    rendered(
      <Notice variant="good" title="T">
        ok
      </Notice>,
    ),
    'role="status"><strong>T</strong>ok',
  )
  t.notMatch(rendered(<Notice>so</Notice>), 'role=')
  t.match(rendered(<EmptyState title="E">x</EmptyState>), '<h3>E</h3>x')
  t.match(
    rendered(<Panel title="Two words">x</Panel>),
    /<section class="panel" aria-labelledby="two-words">.*<h2 id="two-words">Two words<\/h2>/,
  )
  const stats = (
    <Stats>
      <Stat label="L" value={1} note="n" />
    </Stats>
  )
  t.match(rendered(stats), '<dt>L</dt><dd class="stat-value">1</dd><dd class="soft">n</dd>')
  t.match(rendered(<Facts facts={[{ name: 'N', value: 'V' }]} />), '<dt>N</dt><dd>V</dd>')
  t.equal(rendered(<IbanText iban="DE1234567" />), '<span class="iban">DE12 3456 7</span>')
  t.match(rendered(<Link to="/dashboard/a?b=1&c=2">x</Link>), 'href="/dashboard/a?b=1&amp;c=2"')
})

test('code is reachable by keyboard, and its copy button needs a script', async (t) => {
  const text = rendered(<CodeBlock label="curl" code={'a "b"\n<c>'} />)
  t.match(text, 'data-copy="a &quot;b&quot;\n&lt;c>" hidden')
  t.match(text, '<pre role="region" tabindex="0" aria-label="curl"><code>a &quot;b&quot;\n&lt;c>')
})

test('the current tab is marked', async (t) => {
  const tabs = [
    { text: 'A', to: '/dashboard/a', isCurrent: false },
    { text: 'B', to: '/dashboard/b', isCurrent: true },
  ]
  const text = rendered(<Tabs label="Views" tabs={tabs} />)
  t.match(text, '<nav class="tabs" aria-label="Views">')
  t.equal(text.match(/aria-current="page"/g)?.length, 1)
  t.match(text, '<a href="/dashboard/b" aria-current="page">B</a>')
})
