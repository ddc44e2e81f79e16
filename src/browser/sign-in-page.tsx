import type { Page } from './page.js'
import { FormToken, OperatorNameField, Problem } from './page-parts.js'

/** The variable content of the sign-in page. */
export interface SignInPrompt {
  readonly formToken: string
  /** A sentence about a preceding error. */
  readonly notice?: string | undefined
  /** The purpose of signing in. */
  readonly purpose: string
}

/** Asks for name and password. The form is sent to the same URL. */
export function signInPage({ formToken, notice, purpose }: SignInPrompt): Page {
  return {
    title: 'Sign in',
    body: (
      <>
        <p>{purpose}</p>
        <Problem text={notice} />
        <form method="post">
          <FormToken value={formToken} />
          <OperatorNameField />
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
