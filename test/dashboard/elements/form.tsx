import { test } from 'tap'
import { formTokenFor } from '../../../src/dashboard/dashboard-context.js'
import { Form, SubmitButton } from '../../../src/dashboard/elements/form.js'
import { contextAt, rendered } from '../../fixtures/dashboard-context.js'

test('a form contains the token for its target page', async (t) => {
  const context = contextAt('/dashboard/here', 'https://example.org/bank')
  const button = <SubmitButton action="do">Do</SubmitButton>
  const here = rendered(<Form>{button}</Form>, context)
  t.match(here, '<form method="post" action="/bank/dashboard/here">')
  t.match(here, `name="form_token" value="${formTokenFor(context, '/dashboard/here')}"`)
  t.match(here, '<button type="submit" name="action" value="do">Do</button>')
  const there = rendered(
    <Form to="/dashboard/there" hasFiles>
      {button}
    </Form>,
    context,
  )
  t.match(there, 'action="/bank/dashboard/there" enctype="multipart/form-data"')
  t.match(there, `value="${formTokenFor(context, '/dashboard/there')}"`)
})
