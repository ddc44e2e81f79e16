import { test } from 'tap'
import { Form, SubmitButton } from '../../../src/dashboard/elements/form.js'
import { formTokenFor } from '../../../src/dashboard/scene.js'
import { rendered, sceneAt } from '../../fixtures/dashboard-scene.js'

test('a form carries the token of the page it is sent to', async (t) => {
  const scene = sceneAt('/dashboard/here', 'https://example.org/bank')
  const button = <SubmitButton action="do">Do</SubmitButton>
  const here = rendered(<Form>{button}</Form>, scene)
  t.match(here, '<form method="post" action="/bank/dashboard/here">')
  t.match(here, `name="form_token" value="${formTokenFor(scene, '/dashboard/here')}"`)
  t.match(here, '<button type="submit" name="action" value="do">Do</button>')
  const there = rendered(
    <Form to="/dashboard/there" hasFiles>
      {button}
    </Form>,
    scene,
  )
  t.match(there, 'action="/bank/dashboard/there" enctype="multipart/form-data"')
  t.match(there, `value="${formTokenFor(scene, '/dashboard/there')}"`)
})
