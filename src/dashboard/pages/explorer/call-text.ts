/** A call of the REST service in a language. */
export interface CallText {
  readonly language: string
  readonly code: string
}

/** The placeholder for a key. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY'

/**
 * The GET of a URL for a terminal, for JavaScript and for Python, with the standard tools of each.
 */
export function callTexts(url: string): CallText[] {
  return [
    { language: 'curl', code: curlText(url) },
    { language: 'JavaScript', code: scriptText(url) },
    { language: 'Python', code: pythonText(url) },
  ]
}

// The URL is percent-encoded ASCII without quotes, apostrophes or backslashes, so that it needs no
// escapes between quotes of any of these languages; braces and brackets, which curl would expand,
// are encoded.

function curlText(url: string): string {
  return `curl -H 'Authorization: Bearer ${KEY_PLACEHOLDER}' \\\n  '${url}'`
}

function scriptText(url: string): string {
  return [
    `const response = await fetch('${url}', {`,
    `  headers: { Authorization: 'Bearer ${KEY_PLACEHOLDER}' },`,
    '})',
    'if (!response.ok) throw new Error((await response.json()).message)',
    'console.log(JSON.stringify(await response.json(), null, 2))',
  ].join('\n')
}

function pythonText(url: string): string {
  return [
    'import json, urllib.request',
    '',
    'request = urllib.request.Request(',
    `    '${url}',`,
    `    headers={'Authorization': 'Bearer ${KEY_PLACEHOLDER}'},`,
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    print(json.dumps(json.load(response), indent=2))',
  ].join('\n')
}
