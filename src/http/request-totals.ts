import { TimeHistogram } from '../time-histogram.js'

/** What a reply counts under that belongs to no operation: 404, 405, what is denied before. */
const NO_OPERATION = 'none'

/** What is counted of a reply. */
export interface CountedReply {
  /** See {@link Exchange.operation}. */
  readonly operation: string
  readonly bodyBytes: number
}

/** Told of each request and of its reply. */
export interface ReplyMetrics {
  /** A request has come. @returns what `end` is to be told when it is answered */
  begin(): number
  /** It was answered. @param begun what `begin` has said */
  end(status: number, begun: number, reply: CountedReply): void
}

/** The replies of one operation since the service has started. */
export class OperationTotals {
  /** By hundreds of the status: 1xx is entry 1. */
  readonly classCounts = new Float64Array(6)
  /** Of those of 4xx: 401 and 429. */
  unauthorizedCount = 0
  rateLimitedCount = 0
  bodyBytes = 0
  /** From the arrival to the reply; of a busy service a sample that stands for all. */
  readonly times = new TimeHistogram()

  count(status: number, bodyBytes: number): void {
    this.classCounts[(status / 100) | 0]! += 1 // a status has three digits, the first 1 to 5
    this.bodyBytes += bodyBytes
    if (status === 401) this.unauthorizedCount += 1
    else if (status === 429) this.rateLimitedCount += 1
  }
}

/** Counts each reply in the totals alone, and times each: for pages, which are few a second. */
export function pageMetrics(ticks: () => number, totals: RequestTotals): ReplyMetrics {
  return {
    begin: ticks,
    end: (status, begun, { operation, bodyBytes }) => {
      const counted = totals.of(operation)
      counted.count(status, bodyBytes)
      counted.times.add(ticks() - begun)
    },
  }
}

/** Replies by operation since the service has started: what only grows, as Prometheus wants it. */
export class RequestTotals {
  readonly #byOperation = new Map<string, OperationTotals>()
  readonly #none: OperationTotals

  /** @param operations those that are listed from the beginning on, with nothing counted yet */
  constructor(operations: readonly string[]) {
    for (const operation of operations) this.#byOperation.set(operation, new OperationTotals())
    this.#none = new OperationTotals()
    this.#byOperation.set(NO_OPERATION, this.#none)
  }

  /** Where a reply of the operation is counted; those that were not named count together. */
  of(operation: string): OperationTotals {
    return this.#byOperation.get(operation) ?? this.#none
  }

  entries(): Iterable<[operation: string, totals: OperationTotals]> {
    return this.#byOperation.entries()
  }
}
