import type { Page } from './page.js'
import { FormToken, NameField, Problem } from './page-parts.js'

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
    body: (
      <>
        <p>{purpose}</p>
        <Problem text={notice} />
        <form method="post">
          <FormToken value={formToken} />
          <NameField />
          <label for="password">Password</label>
          <input
            {...{ id: 'password', name: 'password', type: 'password', required: true }}
            autocomplete="current-password"
          />
          <div class="row">
            <button type="submit" class="key" name="action" value="sign-in">
              Sign in
            </button>
          </div>
        </form>
      </>
    ),
  }
}
