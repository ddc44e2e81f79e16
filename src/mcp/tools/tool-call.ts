import { ApiError } from '../../errors.js'
import { ANSWER_CHARS_DEFAULT } from '../../limits.js'
import { answerOf, type ResultItems } from './answer.js'
import { type Argument, errorText, readArguments, type SentArguments } from './arguments.js'
import type { Item } from './compact.js'
import { type ResultFields, readFields } from './fields.js'
import type { MaskedValues } from './masked-values.js'
import { type Masks, maskItem, type Pseudonyms } from './masks.js'
import { readItems, type WrittenItem } from './rows.js'
import type { Tool, ToolAnswer, ToolContext, ToolView } from './tool.js'
import { unmaskedArguments } from './unmasked-arguments.js'

/** Settings of the tools' answers. */
export interface ToolOptions {
  /** Characters of JSON in one answer; absent = {@link ANSWER_CHARS_DEFAULT}. */
  readonly answerCharsMax?: number | undefined
  /** For integrations from which names are hidden. */
  readonly names: Pseudonyms
  /** The values behind the masks of answers. */
  readonly maskedValues: MaskedValues
}

/** The parts of a tool that differ. */
export interface ToolParts {
  readonly arguments: readonly Argument[]
  /** The argument that was sent as a parameter of the REST operation. */
  argumentOf(sent: SentArguments, parameter: string): string
  /** The text for a model when no item has the id or IBAN that it sent. */
  notFound(sent: SentArguments, view: ToolView): string
  compact(row: Item): Item
  /** @throws ApiError with the text for the model */
  find(context: ToolContext, sent: SentArguments, read: ReadItems): Promise<ResultItems>
}

/** Reads the items of a body. @param parse an object of it; absent = as JSON */
export type ReadItems = (
  bytes: Uint8Array,
  parse?: (text: string) => unknown,
) => Promise<WrittenItem[]>

/** The call of a tool: reads the arguments, runs the search and answers, or returns the error. */
export function callOf(calling: ToolParts, options: ToolOptions): Tool['call'] {
  const { answerCharsMax = ANSWER_CHARS_DEFAULT, maskedValues } = options
  return async (context, input) => {
    let sent: SentArguments = new Map()
    try {
      sent = readArguments(calling.arguments, input)
      const shape = shapeOf(calling, masksOf(context, options), readFields(sent))
      const read: ReadItems = (bytes, parse) => readItems(bytes, shape, answerCharsMax, parse)
      // The errors below name what was sent, not what is behind a mask.
      const unmasked = unmaskedArguments(context, sent, maskedValues)
      return answerOf(await calling.find(context, unmasked, read), answerCharsMax)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'internal') throw error
      return errorAnswer(
        // An error with a fault names the argument itself.
        error.code === 'not_found' && error.fault === undefined
          ? calling.notFound(sent, context.view)
          : errorText(error, (parameter) => {
              const sentAs = calling.argumentOf(sent, parameter)
              return calling.arguments.find(({ name }) => name === sentAs)
            }),
      )
    }
  }
}

function errorAnswer(text: string): ToolAnswer {
  return { text, isError: true }
}

/** undefined = nothing is hidden. */
function masksOf(
  { access, view }: ToolContext,
  { names, maskedValues }: ToolOptions,
): Masks | undefined {
  const { masksIbans, masksNames } = view
  if (!masksIbans && !masksNames) return undefined
  const { id } = access.integration
  return {
    ibans: masksIbans,
    names: masksNames ? names : undefined,
    remember: (kind, mask, value) => maskedValues.remember(id, kind, mask, value),
  }
}

function shapeOf(
  { compact }: ToolParts,
  masks: Masks | undefined,
  fields: ResultFields,
): (row: Item) => Item {
  const shape = fields === 'full' ? (row: Item) => row : compact
  return masks === undefined ? shape : (row) => shape(maskItem(row, masks))
}
