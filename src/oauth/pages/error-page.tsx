import type { Page } from '../../browser/page.js'

/**
 * A page for an error that cannot be sent to the client that caused it (RFC 6749, 4.1.2.1).
 * @param destination where the error would go if an operator were signed in; absent = nowhere
 */
export function errorPage(error: string, sentence: string, destination?: string): Page {
  return {
    title: 'This request cannot be answered',
    body: (
      <>
        <p>{sentence}</p>
        {destination === undefined ? null : (
          <p>
            The program wants to be told so at <strong>{destination}</strong>. Nobody here has
            checked that address, and nobody is signed in, so you are not sent there.
          </p>
        )}
        <p>
          Nothing was shared. You can close this page; whoever runs the program that sent you here
          needs to know the reason above.
        </p>
        <p class="soft">{error}</p>
      </>
    ),
  }
}
