import { ApiError } from '../../errors.js'
import { ANSWER_CHARS_DEFAULT } from '../../limits.js'
import { answerOf, type ResultItems } from './answer.js'
import { type Argument, errorText, readArguments, type SentArguments } from './arguments.js'
import type { Item } from './compact.js'
import { type ResultFields, readFields } from './fields.js'
import { type Masks, maskItem, type Pseudonyms } from './masks.js'
import { readItems, type WrittenItem } from './rows.js'
import type { Tool, ToolAnswer, ToolContext } from './tool.js'

/** Settings of the tools' answers. */
export interface ToolOptions {
  /** Characters of JSON in one answer; absent = {@link ANSWER_CHARS_DEFAULT}. */
  readonly answerCharsMax?: number | undefined
  /** For integrations from which names are hidden. */
  readonly names: Pseudonyms
}

/** The parts of a tool that differ. */
export interface ToolParts {
  readonly arguments: readonly Argument[]
  /** The argument that was sent as a parameter of the REST operation. */
  argumentOf(sent: SentArguments, parameter: string): string
  /** The text for a model when no item has the id or IBAN that it sent. */
  notFound(sent: SentArguments): string
  compact(row: Item): Item
  /** @throws ApiError with the text for the model */
  find(context: ToolContext, sent: SentArguments, read: ReadItems): Promise<ResultItems>
}

/** Reads the items of a body. */
export type ReadItems = (bytes: Uint8Array) => Promise<WrittenItem[]>

/** The call of a tool: reads the arguments, runs the search and answers, or returns the error. */
export function callOf(calling: ToolParts, options: ToolOptions): Tool['call'] {
  const { answerCharsMax = ANSWER_CHARS_DEFAULT } = options
  return async (context, input) => {
    let sent: SentArguments = new Map()
    try {
      sent = readArguments(calling.arguments, input)
      const shape = shapeOf(calling, masksOf(context, options.names), readFields(sent))
      const read: ReadItems = (bytes) => readItems(bytes, shape, answerCharsMax)
      return answerOf(await calling.find(context, sent, read), answerCharsMax)
    } catch (error) {
      if (!(error instanceof ApiError) || error.code === 'internal') throw error
      return errorAnswer(
        // An error with a fault names the argument itself.
        error.code === 'not_found' && error.fault === undefined
          ? calling.notFound(sent)
          : errorText(error, (parameter) => calling.argumentOf(sent, parameter)),
      )
    }
  }
}

function errorAnswer(text: string): ToolAnswer {
  return { text, isError: true }
}

/** undefined = nothing is hidden. */
function masksOf({ access }: ToolContext, names: Pseudonyms): Masks | undefined {
  const { masksIbans, masksNames } = access.integration
  if (!masksIbans && !masksNames) return undefined
  return { ibans: masksIbans, names: masksNames ? names : undefined }
}

function shapeOf(
  { compact }: ToolParts,
  masks: Masks | undefined,
  fields: ResultFields,
): (row: Item) => Item {
  const shape = fields === 'full' ? (row: Item) => row : compact
  return masks === undefined ? shape : (row) => shape(maskItem(row, masks))
}
