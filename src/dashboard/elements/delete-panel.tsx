import type { ComponentChildren, VNode } from '../../browser/jsx.js'
import type { Form as SentForm } from '../../wire/form.js'
import type { FormFaults } from '../form-reading.js'
import { Field } from './field.js'
import { Form, SubmitButton } from './form.js'
import { Panel } from './panel.js'

interface DeletePanelProps {
  /** What is deleted: `operator`. */
  readonly what: string
  readonly name: string
  /** The request to type the name. */
  readonly request: string
  readonly faults: FormFaults
  /** The consequences. */
  readonly children: ComponentChildren
}

/** A form that deletes, by the action `delete`, once the name has been typed. */
export function DeletePanel({ what, name, request, faults, children }: DeletePanelProps): VNode {
  return (
    <Panel title="Delete">
      <p class="soft">{children}</p>
      <Form>
        <Field
          name="typed_name"
          label={
            <>
              {request}: <bdi>{name}</bdi>
            </>
          }
          error={faults['typed_name']}
        />
        <SubmitButton action="delete" look="danger">
          Delete {what}
        </SubmitButton>
      </Form>
    </Panel>
  )
}

/** The fault of a sent {@link DeletePanel}; undefined = the name was typed. */
export function typedNameFault(form: SentForm, name: string): FormFaults | undefined {
  if (form.value('typed_name') === name) return undefined
  return { typed_name: 'The name does not match. Nothing was deleted.' }
}
