import type { Page } from '../../browser/page.js'

/**
 * A page for an error that cannot be sent to the client that caused it (RFC 6749, 4.1.2.1).
 * @param destination where the error would go if an operator were signed in; absent = nowhere
 */
export function errorPage(error: string, sentence: string, destination?: string): Page {
  return {
    title: 'Invalid authorization request',
    body: (
      <>
        <p>{sentence}</p>
        {destination === undefined ? null : (
          <p>
            This error was not sent to <strong>{destination}</strong>, because that address has not
            been verified and you are not signed in.
          </p>
        )}
        <p>
          No data was shared. You can close this page. Give the message above to the provider of the
          program that sent you here.
        </p>
        <p class="soft">{error}</p>
      </>
    ),
  }
}
