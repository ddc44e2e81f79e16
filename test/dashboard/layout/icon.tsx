import { test } from 'tap'
import { Icon } from '../../../src/dashboard/layout/icon.js'
import { rendered } from '../../fixtures/dashboard-context.js'

test('an icon is visible, and hidden from screen readers', async (t) => {
  t.match(rendered(<Icon name="keys" />), /^<svg class="icon".* aria-hidden="true"><path d="M7 9/)
})
