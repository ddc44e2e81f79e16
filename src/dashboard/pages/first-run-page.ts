import { html } from '../../browser/html.js'
import type { Page } from '../../browser/page.js'
import { PASSWORD_CODE_POINTS_MIN } from '../../credential-limits.js'

/** Asks who may sign in first. The form comes back to the same URL. */
export function firstRunPage(notice?: string): Page {
  return {
    title: 'Welcome',
    body: html`<p>Nobody can sign in yet. Choose a name and a password: with them you see everything
that is served here, and hand out keys to it.</p>
${notice === undefined ? undefined : html`<p class="bad" role="alert">${notice}</p>`}
<form method="post">
<label for="name">Name</label>
<input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false"
 maxlength="200" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="new-password"
 aria-describedby="password-hint" minlength="${PASSWORD_CODE_POINTS_MIN}" required>
<p class="soft" id="password-hint">At least ${PASSWORD_CODE_POINTS_MIN} characters. Only a hash
of it is kept.</p>
<label for="again">The same password again</label>
<input id="again" name="again" type="password" autocomplete="new-password" required>
<div class="row"><button class="key" name="action" value="create">Begin</button></div>
</form>`,
  }
}
