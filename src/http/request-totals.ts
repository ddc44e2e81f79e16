import { TimeHistogram } from '../time-histogram.js'

/** The name under which replies of no operation are counted: 404, 405, earlier refusals. */
const NO_OPERATION = 'none'

/** The counted properties of a reply. */
export interface CountedReply {
  /** See {@link Exchange.operation}. */
  readonly operation: string
  readonly bodyBytes: number
  /** See {@link Exchange.heldMs}. */
  readonly heldMs: number
}

/** Receives each request and its reply. */
export interface ReplyMetrics {
  /** Notes the arrival of a request. @returns the argument `begun` of `end` */
  begin(): number
  /** Counts the reply. @param begun as returned by `begin` */
  end(status: number, begun: number, reply: CountedReply): void
}

/** The replies of one operation since the start of the service. */
export class OperationTotals {
  /** By hundreds of the status: 1xx is entry 1. */
  readonly classCounts = new Float64Array(6)
  /** Within 4xx: 401 and 429. */
  unauthorizedCount = 0
  rateLimitedCount = 0
  bodyBytes = 0
  /** From the arrival to the reply; of a busy service a sample weighted to stand for all. */
  readonly times = new TimeHistogram()

  count(status: number, bodyBytes: number): void {
    this.classCounts[(status / 100) | 0]! += 1 // a status has three digits, the first 1 to 5
    this.bodyBytes += bodyBytes
    if (status === 401) this.unauthorizedCount += 1
    else if (status === 429) this.rateLimitedCount += 1
  }
}

/** Counts each reply in the totals only, and times each: for pages, which are few a second. */
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

/** Replies by operation since the service started: counters that only grow, as Prometheus asks. */
export class RequestTotals {
  readonly #byOperation = new Map<string, OperationTotals>()
  readonly #none: OperationTotals

  /** @param operations those that are listed from the start, with a count of 0 */
  constructor(operations: readonly string[]) {
    for (const operation of operations) this.#byOperation.set(operation, new OperationTotals())
    this.#none = new OperationTotals()
    this.#byOperation.set(NO_OPERATION, this.#none)
  }

  /** The totals of an operation; operations not passed to the constructor share one. */
  of(operation: string): OperationTotals {
    return this.#byOperation.get(operation) ?? this.#none
  }

  entries(): Iterable<[operation: string, totals: OperationTotals]> {
    return this.#byOperation.entries()
  }
}
