import { test } from 'tap'
import { Check, ChoiceField, Field } from '../../../src/dashboard/elements/field.js'
import { rendered } from '../../fixtures/dashboard-context.js'

test('label, hint and error are associated with their input', async (t) => {
  const plain = rendered(<Field name="a" label="A" value="<v>" />)
  t.match(plain, '<label for="a">A</label>')
  t.match(plain, /<input name="a" value="&lt;v>" [^>]*id="a" autocomplete="off"/)
  t.notMatch(plain, /aria-/)
  const wrong = rendered(<Field name="a" id="i" label="A" hint="h" error="e" />)
  t.match(wrong, 'aria-describedby="i-hint i-error" aria-invalid="true"')
  t.match(wrong, '<p class="soft" id="i-hint">h</p><p class="field-error" id="i-error">e</p>')
})

test('one option is selected', async (t) => {
  const options = [
    { value: 'x', text: 'X' },
    { value: 'y', text: 'Y' },
  ]
  const text = rendered(<ChoiceField name="c" label="C" options={options} value="y" />)
  t.match(text, '<option value="x">X</option><option value="y" selected>Y</option>')
})

test('a checkbox is followed by its label', async (t) => {
  const text = rendered(<Check name="s" value="v" checked label="L" hint="h" />)
  t.match(
    text,
    /<input type="checkbox" id="s-v" name="s" value="v" checked aria-describedby="s-v-h/,
  )
  t.match(text, '<label for="s-v">L</label>')
})
