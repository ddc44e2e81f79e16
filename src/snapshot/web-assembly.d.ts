// The used part of WebAssembly. TypeScript declares it only with all names of a browser.
declare namespace WebAssembly {
  /** Memory that several threads share. A page of it is 65,536 bytes. */
  class Memory {
    constructor(size: { initial: number; maximum: number; shared: true })
    readonly buffer: SharedArrayBuffer
    /** @throws RangeError when there is no more */
    grow(pageCount: number): number
  }

  class Module {
    constructor(bytes: Uint8Array)
  }

  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, Memory>>)
    readonly exports: Readonly<Record<string, unknown>>
  }
}
