// What charts use of Vega's parts, which come without types of their own.

declare module 'vega-dataflow' {
  /** By name in lower case, what a specification may ask for. */
  export const transforms: Record<string, unknown>
}

declare module 'vega-encode'

declare module 'vega-parser' {
  /** @param spec Vega's own notation, not Vega-Lite's */
  export function parse(spec: object): object
}

declare module 'vega-transforms'

declare module 'vega-view' {
  export class View {
    constructor(runtime: object, options: { readonly renderer: 'none' })
    toSVG(): Promise<string>
    finalize(): void
  }
}

declare module 'vega-view-transforms'
