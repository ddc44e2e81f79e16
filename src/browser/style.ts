import { createHash } from 'node:crypto'

/** The one style of all pages: light and dark, from a phone's width up. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566072; --line: #cfd6df; --page: #f4f6f8;
  --card: #fff; --key: #0b5cab; --key-ink: #fff; --bad: #a3211b; --bad-page: #fdeeed }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ecf1; --soft: #a5b0be; --line: #3a4451; --page: #12161b; --card: #1b2129;
    --key: #7db8f5; --key-ink: #0b1520; --bad: #ff9b94; --bad-page: #3a1d1b }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem;
  font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page) }
main { width: 100%; max-width: 30rem; padding: 1.5rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .75rem }
h1 { margin: 0 0 1rem; font-size: 1.35rem; line-height: 1.3; overflow-wrap: anywhere }
h2 { margin: 1.25rem 0 .25rem; font-size: 1rem }
p { margin: .5rem 0; overflow-wrap: anywhere }
ul { margin: .25rem 0; padding-left: 1.25rem }
li { overflow-wrap: anywhere }
.soft { color: var(--soft); font-size: .925rem }
.bad { padding: .5rem .75rem; color: var(--bad); background: var(--bad-page);
  border-radius: .375rem }
label { display: block; margin: .75rem 0 .25rem; font-weight: 600 }
input { width: 100%; padding: .55rem .65rem; font: inherit; color: inherit;
  background: var(--page); border: 1px solid var(--line); border-radius: .375rem }
.row { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.25rem }
button { flex: 1 1 8rem; padding: .6rem 1rem; font: inherit; font-weight: 600; cursor: pointer;
  color: var(--ink); background: transparent; border: 1px solid var(--line);
  border-radius: .375rem }
button.key { color: var(--key-ink); background: var(--key); border-color: var(--key) }
button.plain { flex: none; padding: 0; font-weight: 400; text-decoration: underline;
  color: var(--key); border: 0 }
input:focus-visible, button:focus-visible { outline: 3px solid var(--key); outline-offset: 2px }
footer { margin-top: 1.25rem; padding-top: .75rem; border-top: 1px solid var(--line) }
footer form { display: inline }
`

/** What a Content-Security-Policy calls {@link STYLE} when it stands in a page. */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`
