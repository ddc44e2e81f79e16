// Regression: normalization turned one letter into eighteen; texts of it took minutes to index,
// while every other workspace waited.
import { test } from 'tap'
import { plainOf, plainTextOf } from '../../src/match/plain-text.js'
import { normalForms } from '../../src/text/normal-forms.js'

/** Maximum length of a field. */
const UNITS = 10_000
const GROWTH_MAX = 7

test('a text of expanding letters stays within a few times its length', async (t) => {
  for (const unit of ['\ufdfa', '\ufdfb', '\ufdfa ', '\u3316', '\u33c7', '\u1f82', '\ufb03', 'Ü']) {
    const text = unit.repeat(UNITS / unit.length)
    const { first, second } = normalForms(text)
    const forms = { first, second, plain: plainOf(text), pointed: plainTextOf(text).text }
    for (const [name, form] of Object.entries(forms)) {
      const logged = `${JSON.stringify(unit)}: ${form.length} units, ${name}`
      t.ok(form.length <= GROWTH_MAX * UNITS, logged)
    }
  }
})
