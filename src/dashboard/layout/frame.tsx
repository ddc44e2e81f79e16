import type { VNode } from '../../browser/jsx.js'
import { type DashboardContext, linkTo } from '../dashboard-context.js'
import { Form, SubmitButton } from '../elements/form.js'
import { Link } from '../elements/link.js'
import type { View } from '../reply.js'
import { Icon } from './icon.js'
import { PageContext } from './page-context.js'
import { SECTIONS, sectionOf } from './sections.js'

interface FrameProps {
  readonly context: DashboardContext
  readonly view: View
}

/** A complete page of the dashboard: head, navigation, heading and the content of the view. */
export function Frame({ context, view }: FrameProps): VNode {
  return (
    <PageContext.Provider value={context}>
      <html lang="en">
        <Head context={context} view={view} />
        <body class="frame" data-refresh={view.refreshSeconds}>
          <a class="skip" href="#content">
            Skip to content
          </a>
          <header class="rail">
            <Link to="/dashboard" class="mark">
              kontor
            </Link>
            <Sections path={context.path} />
            <details class="menu">
              <summary>Menu</summary>
              <Sections path={context.path} />
              <Whose context={context} />
            </details>
            <Whose context={context} />
          </header>
          <main id="content" tabIndex={-1}>
            <PageHead view={view} />
            {view.body}
          </main>
        </body>
      </html>
    </PageContext.Provider>
  )
}

function Head({ context, view }: FrameProps): VNode {
  const { assets } = context
  const scripts = ['copy.js', ...(view.refreshSeconds ? ['refresh.js'] : [])]
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{`${view.title} · kontor`}</title>
      <link rel="stylesheet" href={linkTo(context, assets.pathOf('kontor.css'))} />
      <link rel="icon" type="image/svg+xml" href={linkTo(context, assets.pathOf('icon.svg'))} />
      {[...scripts, ...(view.scripts ?? [])].map((name) => (
        <script key={name} type="module" src={linkTo(context, assets.pathOf(name))} />
      ))}
      {view.refreshSeconds === undefined ? null : (
        <noscript>
          <meta http-equiv="refresh" content={String(view.refreshSeconds)} />
        </noscript>
      )}
    </head>
  )
}

function Sections({ path }: { readonly path: string }): VNode {
  const current = sectionOf(path)
  return (
    <nav class="sections" aria-label="Sections">
      <ul>
        {SECTIONS.map((section) => (
          <li key={section.path}>
            <Link to={section.path} current={currencyOf(section.path, current?.path, path)}>
              <Icon name={section.icon} />
              {section.text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function currencyOf(
  section: string,
  current: string | undefined,
  path: string,
): 'page' | 'true' | undefined {
  if (section !== current) return undefined
  return section === path ? 'page' : 'true'
}

function Whose({ context }: { readonly context: DashboardContext }): VNode {
  return (
    <div class="whose">
      <Link to="/dashboard/session">
        <bdi>{context.session.operatorName}</bdi>
      </Link>
      <Form to="/dashboard/session">
        <SubmitButton action="sign-out" look="plain">
          Sign out
        </SubmitButton>
      </Form>
    </div>
  )
}

function PageHead({ view }: { readonly view: View }): VNode {
  const { title, lead, above, aside } = view
  return (
    <header class="page-head">
      <div>
        {above === undefined ? null : (
          <p class="above">
            <Link to={above.path}>← {above.text}</Link>
          </p>
        )}
        <h1>{title}</h1>
        {lead === undefined ? null : <p class="lead">{lead}</p>}
      </div>
      {aside === undefined ? null : <div class="page-aside">{aside}</div>}
    </header>
  )
}
