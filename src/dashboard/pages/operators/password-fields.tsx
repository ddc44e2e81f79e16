import type { VNode } from 'preact'
import { passwordFault } from '../../../auth/password.js'
import { PASSWORD_CODE_POINTS_MIN } from '../../../credential-limits.js'
import type { Form } from '../../../wire/form.js'
import { Field } from '../../elements/field.js'
import type { FormFaults, FormReading } from '../../form-reading.js'

/** A new password, typed twice. */
export function PasswordFields({ faults }: { readonly faults: FormFaults }): VNode {
  return (
    <>
      <Field
        name="password"
        label="New password"
        type="password"
        required
        autoComplete="new-password"
        hint={`At least ${PASSWORD_CODE_POINTS_MIN} characters; a few words are a good one.`}
        error={faults['password']}
      />
      <Field
        name="again"
        label="The same password again"
        type="password"
        required
        autoComplete="new-password"
        error={faults['again']}
      />
    </>
  )
}

/** Reads it; what is wrong with it stands in the reading. */
export function readNewPassword(reading: FormReading, form: Form): string {
  const password = form.value('password') ?? ''
  const fault = passwordFault(password)
  if (fault !== undefined) reading.refuse('password', `The password ${fault}.`)
  else if (password !== form.value('again')) reading.refuse('again', 'The two passwords differ.')
  return password
}
