/** Any JSON value. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json | undefined }

/** A JSON object; a member that is undefined is not written. */
export type JsonObject = { readonly [name: string]: Json | undefined }

/** An operation of the document. */
export interface OpenApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly parameters: readonly JsonObject[]
  readonly requestBody?: JsonObject
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly responses: Readonly<Record<string, JsonObject>>
}

/** The operations of a path. */
interface OpenApiPath {
  readonly get: OpenApiOperation
  readonly post?: OpenApiOperation
}

/** The part of OpenAPI 3.0.3 that kontor's document uses. */
export interface OpenApiDocument {
  readonly openapi: '3.0.3'
  readonly info: JsonObject
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, OpenApiPath>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonObject>>
    readonly parameters: Readonly<Record<string, JsonObject>>
    readonly headers: Readonly<Record<string, JsonObject>>
    readonly responses: Readonly<Record<string, JsonObject>>
    readonly securitySchemes: Readonly<Record<string, JsonObject>>
  }
}

/** The object as JSON carries it: members that are undefined are removed. */
export function jsonObject(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value))
}

/** Whether the value is an object with members, not a list. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
