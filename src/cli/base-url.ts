import { CommandError } from '../errors.js'

/** The flag for the service's URL, in commands that print or request URLs. */
export const BASE_URL_FLAG = {
  kind: 'text',
  placeholder: 'URL',
  default: 'http://127.0.0.1:8080',
  summary: 'the public address of the service, as given to kontor serve',
} as const

/**
 * A base URL without trailing slashes; undefined when none was given.
 * @param flag the flag with the URL @throws CommandError usage
 */
export function readBaseUrl(given: string | undefined, flag = '--base-url'): string | undefined {
  if (given === undefined) return undefined
  const url = URL.canParse(given) ? new URL(given) : undefined
  const isPlain = url?.username === '' && url.password === '' && !/[?#]/.test(given)
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isPlain) {
    const wanted =
      'an http or https URL without query or user name is expected, ' +
      'such as https://bank.example.org'
    throw new CommandError('usage', `${flag} ${JSON.stringify(given)}: ${wanted}`)
  }
  // The normal form that other programs write: host in lower case, no default port, ASCII only.
  return url.href.replace(/(?<!\/)\/+$/, '')
}
