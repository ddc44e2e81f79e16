import type { VNode } from 'preact'
import { Form, SubmitButton } from '../elements/form.js'
import { Link } from '../elements/link.js'
import type { View } from '../reply.js'
import { type DashboardScene, linkTo } from '../scene.js'
import { Icon } from './icon.js'
import { SceneContext } from './scene-context.js'
import { SECTIONS, sectionOf } from './sections.js'

interface FrameProps {
  readonly scene: DashboardScene
  readonly view: View
}

/** A page of the dashboard, whole: head, navigation, heading and what the view holds. */
export function Frame({ scene, view }: FrameProps): VNode {
  return (
    <SceneContext.Provider value={scene}>
      <html lang="en">
        <Head scene={scene} view={view} />
        <body class="frame" data-refresh={view.refreshSeconds}>
          <a class="skip" href="#content">
            Skip to content
          </a>
          <header class="rail">
            <Link to="/dashboard" class="mark">
              kontor
            </Link>
            <Sections path={scene.path} />
            <details class="menu">
              <summary>Menu</summary>
              <Sections path={scene.path} />
              <Whose scene={scene} />
            </details>
            <Whose scene={scene} />
          </header>
          <main id="content" tabIndex={-1}>
            <PageHead view={view} />
            {view.body}
          </main>
        </body>
      </html>
    </SceneContext.Provider>
  )
}

function Head({ scene, view }: FrameProps): VNode {
  const { assets } = scene
  const scripts = ['copy.js', ...(view.refreshSeconds ? ['refresh.js'] : [])]
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{`${view.title} · kontor`}</title>
      <link rel="stylesheet" href={linkTo(scene, assets.pathOf('kontor.css'))} />
      <link rel="icon" type="image/svg+xml" href={linkTo(scene, assets.pathOf('icon.svg'))} />
      {[...scripts, ...(view.scripts ?? [])].map((name) => (
        <script key={name} type="module" src={linkTo(scene, assets.pathOf(name))} />
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

function Whose({ scene }: { readonly scene: DashboardScene }): VNode {
  return (
    <div class="whose">
      <Link to="/dashboard/session">
        <bdi>{scene.session.operatorName}</bdi>
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
