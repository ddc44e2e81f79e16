import { audited } from '../../../admin/audited-change.js'
import type { AuditEvent } from '../../../auth/audit.js'
import { PASSWORD_CODE_POINTS_MIN, passwordFault } from '../../../auth/password.js'
import type { VNode } from '../../../browser/jsx.js'
import type { Form } from '../../../wire/form.js'
import type { DashboardContext } from '../../dashboard-context.js'
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
        hint={`At least ${PASSWORD_CODE_POINTS_MIN} characters; several words are a good choice.`}
        error={faults['password']}
      />
      <Field
        name="again"
        label="Repeat password"
        type="password"
        required
        autoComplete="new-password"
        error={faults['again']}
      />
    </>
  )
}

/** The password of the signed-in operator: the effect of the form outlasts a stolen session. */
export function OwnPasswordField({ faults }: { readonly faults: FormFaults }): VNode {
  return (
    <Field
      name={OWN_PASSWORD}
      label="Your current password"
      type="password"
      required
      autoComplete="current-password"
      error={faults[OWN_PASSWORD]}
    />
  )
}

const OWN_PASSWORD = 'own_password'

/**
 * Checks the operator's own password, when the form has no other fault; its fault is recorded in
 * the reading and, as a refusal, in the audit log.
 * @param event the intended action
 */
export async function takeOwnPassword(
  context: DashboardContext,
  reading: FormReading,
  form: Form,
  event: Pick<AuditEvent, 'action' | 'subject'>,
): Promise<void> {
  if (!reading.isFaultless) return
  const refusal = await context.parts.signIn.confirm(
    context.session,
    form.value(OWN_PASSWORD) ?? '',
  )
  if (refusal === undefined) return
  const { reason, sentence } = refusal
  // A guess is recorded also when the session has ended meanwhile.
  const { control } = context.parts
  await audited({ ...context, control }, (record) =>
    record({ ...event, outcome: 'refused', detail: { reason } }),
  )
  reading.refuse(OWN_PASSWORD, sentence)
}

/** Reads the new password; its fault is recorded in the reading. */
export function readNewPassword(reading: FormReading, form: Form): string {
  const password = form.value('password') ?? ''
  const fault = passwordFault(password)
  if (fault !== undefined) reading.refuse('password', `The password ${fault}.`)
  else if (password !== form.value('again')) reading.refuse('again', 'The passwords do not match.')
  return password
}
