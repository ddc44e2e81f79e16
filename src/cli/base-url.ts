import { CommandError } from '../errors.js'

/**
 * A base URL as it was typed, without slashes at its end; undefined when none was.
 * @throws CommandError usage
 */
export function readBaseUrl(given: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const url = URL.canParse(given) ? new URL(given) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash) {
    const wanted =
      'an http or https URL without query is expected, such as https://bank.example.org'
    throw new CommandError('usage', `--base-url ${JSON.stringify(given)}: ${wanted}`)
  }
  return given.replace(/\/+$/, '')
}
