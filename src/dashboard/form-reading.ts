import { ipAllowFault } from '../auth/ip-allow.js'
import { nameFault } from '../auth/name.js'
import { TOOL_NAMES, type ToolName } from '../domain/integration.js'
import { SCOPES, type Scope } from '../domain/key-scope.js'
import { type EpochMs, parseDay } from '../instant.js'
import type { Form } from '../wire/form.js'

/** The faults of a form: by name of the field, a sentence. */
export type FormFaults = Readonly<Record<string, string>>

/** Whether a form has a fault. */
export function hasFaults(faults: FormFaults): boolean {
  return Object.keys(faults).length > 0
}

/**
 * Reads the fields that forms about credentials share, and collects the faults of all of them, so
 * that the page shows them together. The value of a faulty field must not be used.
 */
export class FormReading {
  readonly #faults: Record<string, string> = {}

  constructor(private readonly form: Form) {}

  get faults(): FormFaults {
    return this.#faults
  }

  get isFaultless(): boolean {
    return !hasFaults(this.#faults)
  }

  /** Records a fault. @param sentence the fault, and the expected value */
  refuse(field: string, sentence: string): void {
    this.#faults[field] ??= sentence
  }

  /** A name that people will read. */
  name(): string {
    const name = this.form.value('name') ?? ''
    const fault = nameFault(name)
    if (fault !== undefined) this.refuse('name', `The name ${fault}.`)
    return name
  }

  /** The ticked scopes, at least one. @param permitted the offered scopes */
  scopes(permitted: readonly Scope[] = SCOPES): Scope[] {
    const ticked = this.form.values('scope')
    const scopes = permitted.filter((scope) => ticked.includes(scope))
    if (scopes.length === 0) this.refuse('scope', 'Select at least one scope.')
    return scopes
  }

  /** Ids of accounts, ascending, at least one; null = all current and future ones. */
  accounts(): number[] | null {
    if (this.form.value('accounts') === 'all') return null
    const typed = (this.form.value('account_ids') ?? '').split(/[\s,]+/)
    const texts = [...this.form.values('account'), ...typed.filter((text) => text !== '')]
    const ids = texts.map((text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0))
    if (ids.length === 0 || ids.includes(0)) {
      this.refuse('accounts', 'Select at least one account, or all current and future accounts.')
    }
    return [...new Set(ids)].sort((a, b) => a - b)
  }

  /** Names of tools, at least one; null = all current and future ones. */
  tools(): ToolName[] | null {
    if (this.form.value('tools') === 'all') return null
    const ticked = this.form.values('tool')
    const tools = TOOL_NAMES.filter((name) => ticked.includes(name))
    if (tools.length === 0)
      this.refuse('tools', 'Select at least one tool, or all current and future tools.')
    return tools
  }

  /** The expiry as the start of a day UTC; null = never. */
  expiry(nowMs: EpochMs): EpochMs | null {
    const text = this.form.value('expires')
    if (text === undefined) return null
    const at = parseDay(text)
    if (at === undefined) this.refuse('expires', 'Enter a day such as 2027-01-31.')
    else if (at <= nowMs)
      this.refuse('expires', 'This day is not in the future: the key would never work.')
    return at ?? null
  }

  /** Addresses and networks, separated by commas, blanks or lines; undefined = anywhere. */
  ipAllow(): string[] | undefined {
    const entries = (this.form.value('ip_allow') ?? '').split(/[\s,;]+/).filter(Boolean)
    if (entries.length === 0) return undefined
    const fault = ipAllowFault(entries)
    if (fault !== undefined) this.refuse('ip_allow', `The list ${fault}.`)
    return entries
  }

  /** The chosen value of a list; the first one when the form has none of them. */
  choice<Value extends string>(field: string, choices: readonly Value[]): Value {
    const text = this.form.value(field)
    const known = choices.find((value) => value === text)
    if (known === undefined) this.refuse(field, 'Select one of the options.')
    return known ?? (choices[0] as Value)
  }

  isTicked(field: string): boolean {
    return this.form.value(field) === 'yes'
  }
}
