import { PASSWORD_CODE_POINTS_MIN } from '../../auth/password.js'
import type { Page } from '../../browser/page.js'
import { NameField, Problem } from '../../browser/page-parts.js'

/** The form for the first operator's name and password. It is sent to the same URL. */
export function firstRunPage(notice?: string): Page {
  const password = { type: 'password', autocomplete: 'new-password', required: true } as const
  return {
    title: 'Welcome',
    body: (
      <>
        <p>
          Nobody can sign in yet. Choose a name and a password: with them you see everything that is
          served here, and hand out keys to it.
        </p>
        <Problem text={notice} />
        <form method="post">
          <NameField />
          <label for="password">Password</label>
          <input
            {...{ id: 'password', name: 'password', minlength: PASSWORD_CODE_POINTS_MIN }}
            {...password}
            aria-describedby="password-hint"
          />
          <p class="soft" id="password-hint">
            At least {PASSWORD_CODE_POINTS_MIN} characters. Only a hash of it is kept.
          </p>
          <label for="again">The same password again</label>
          <input {...{ id: 'again', name: 'again', ...password }} />
          <div class="row">
            <button type="submit" class="key" name="action" value="create">
              Begin
            </button>
          </div>
        </form>
      </>
    ),
  }
}
