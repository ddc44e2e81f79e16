import { PASSWORD_CODE_POINTS_MIN } from '../../auth/password.js'
import type { Page } from '../../browser/page.js'
import { OperatorNameField, Problem } from '../../browser/page-parts.js'

/** The form for the first operator's name and password. It is sent to the same URL. */
export function firstRunPage(notice?: string): Page {
  const password = { type: 'password', autocomplete: 'new-password', required: true } as const
  return {
    title: 'Welcome',
    body: (
      <>
        <p>
          There is no operator yet. Choose a name and a password to create the first one. An
          operator sees all workspaces and manages keys.
        </p>
        <Problem text={notice} />
        <form method="post">
          <OperatorNameField />
          <label for="password">Password</label>
          <input
            {...{ id: 'password', name: 'password', minlength: PASSWORD_CODE_POINTS_MIN }}
            {...password}
            aria-describedby="password-hint"
          />
          <p class="soft" id="password-hint">
            At least {PASSWORD_CODE_POINTS_MIN} characters. Only a hash of it is stored.
          </p>
          <label for="again">Repeat password</label>
          <input {...{ id: 'again', name: 'again', ...password }} />
          <div class="row">
            <button type="submit" class="key" name="action" value="create">
              Create operator
            </button>
          </div>
        </form>
      </>
    ),
  }
}
