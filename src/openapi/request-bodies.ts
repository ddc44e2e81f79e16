import { BATCH_EXAMPLES } from './examples.js'
import { type JsonObject, jsonObject } from './openapi.js'

/** The body of the batch matches. */
export const BATCH_REQUEST_BODY: JsonObject = {
  required: true,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/BatchMatchRequest' },
      examples: {
        references: {
          summary: 'References alone',
          value: jsonObject(BATCH_EXAMPLES.references),
        },
        payments: {
          summary: 'With all that is known of the payments',
          value: jsonObject(BATCH_EXAMPLES.payments),
        },
      },
    },
  },
}
