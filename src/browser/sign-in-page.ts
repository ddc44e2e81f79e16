import { html } from './html.js'
import type { Page } from './page.js'

/** What the sign-in page says. */
export interface SignInPrompt {
  readonly formToken: string
  /** A sentence about what went wrong before. */
  readonly notice?: string | undefined
  /** What signing in is for. */
  readonly purpose: string
}

/** Asks for name and password. The form comes back to the same URL. */
export function signInPage({ formToken, notice, purpose }: SignInPrompt): Page {
  return {
    title: 'Sign in',
    body: html`<p>${purpose}</p>
${notice === undefined ? undefined : html`<p class="bad" role="alert">${notice}</p>`}
<form method="post">
<input type="hidden" name="form_token" value="${formToken}">
<label for="name">Name</label>
<input id="name" name="name" autocomplete="username" autocapitalize="none" spellcheck="false"
 maxlength="200" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<div class="row"><button class="key" name="action" value="sign-in">Sign in</button></div>
</form>`,
  }
}
