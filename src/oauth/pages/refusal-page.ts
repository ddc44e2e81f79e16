import { html } from '../../browser/html.js'
import type { Page } from '../../browser/page.js'

/** A page for a request that cannot be told to the program it came from (RFC 6749, 4.1.2.1). */
export function refusalPage(error: string, sentence: string): Page {
  return {
    title: 'This request cannot be answered',
    body: html`<p>${sentence}</p>
<p>Nothing was shared. You can close this page; whoever runs the program that sent you here needs to
know the reason above.</p>
<p class="soft">${error}</p>`,
  }
}
