import type { ComponentChildren, VNode } from '../../browser/jsx.js'

/** The key figures of a page. Holds {@link Stat}s. */
export function Stats({ children }: { readonly children: ComponentChildren }): VNode {
  return <dl class="stats">{children}</dl>
}

interface StatProps {
  readonly label: string
  readonly value: ComponentChildren
  /** Below the figure: its whole, or its start. */
  readonly note?: ComponentChildren
}

/** One figure. */
export function Stat({ label, value, note }: StatProps): VNode {
  return (
    <div class="stat">
      <dt>{label}</dt>
      <dd class="stat-value">{value}</dd>
      {note === undefined ? null : <dd class="soft">{note}</dd>}
    </div>
  )
}

/** The properties of an object, a line each: pairs of a name and a value. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }): VNode {
  return (
    <dl class="facts">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A line of {@link Facts}. */
interface Fact {
  readonly name: string
  readonly value: ComponentChildren
}
