import type { ComponentChildren, VNode } from '../../browser/jsx.js'

interface PanelProps {
  readonly title: string
  /** Unique on the page; made of the title if absent. */
  readonly id?: string
  /** Next to the title. */
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}

/** A part of a page with a heading of its own. */
export function Panel({ title, id, aside, children }: PanelProps): VNode {
  const headingId = id ?? title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return (
    <section class="panel" aria-labelledby={headingId}>
      <header class="panel-head">
        <h2 id={headingId}>{title}</h2>
        {aside === undefined ? null : <div class="panel-aside">{aside}</div>}
      </header>
      {children}
    </section>
  )
}
