import type { DoctorOptions } from '../doctor/diagnostic-run.js'
import { runDoctor } from '../doctor/doctor.js'
import type { StepResult } from '../doctor/finding.js'
import { messageOf } from '../errors.js'
import type { EpochMs } from '../instant.js'

/** Integrations whose last report is kept; beyond it the oldest is dropped. */
const DIAGNOSTIC_REPORTS_MAX = 100

/** A run of the doctor, in progress or finished. */
export interface DiagnosticReport {
  readonly beganMs: EpochMs
  /** The results so far, in the order of the steps. */
  readonly results: readonly StepResult[]
  readonly isOver: boolean
  /** The reason why it was aborted. */
  readonly fault?: string
}

/**
 * The last diagnostic report of each integration, in memory only: a report of yesterday is of no
 * use.
 */
export class DiagnosticReports {
  readonly #byIntegration = new Map<string, DiagnosticReport>()

  /** The last one of an integration, or undefined. */
  of(integrationId: string): DiagnosticReport | undefined {
    return this.#byIntegration.get(integrationId)
  }

  /** Starts one, and resolves when it is finished; at once when another is in progress. */
  async begin(options: DoctorOptions): Promise<void> {
    const { id } = options.integration
    if (this.#byIntegration.get(id)?.isOver === false) return
    const results: StepResult[] = []
    const plain = { beganMs: options.clock(), results }
    this.#keep(id, { ...plain, isOver: false })
    try {
      for await (const result of runDoctor(options)) results.push(result)
      this.#keep(id, { ...plain, isOver: true })
    } catch (error) {
      this.#keep(id, { ...plain, isOver: true, fault: messageOf(error) })
    }
  }

  #keep(id: string, report: DiagnosticReport): void {
    this.#byIntegration.delete(id)
    this.#byIntegration.set(id, report)
    for (const [oldest, { isOver }] of this.#byIntegration) {
      if (this.#byIntegration.size <= DIAGNOSTIC_REPORTS_MAX) break
      if (isOver) this.#byIntegration.delete(oldest)
    }
  }
}
