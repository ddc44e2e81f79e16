/** A call of the REST service in a language. */
export interface CallText {
  readonly language: string
  readonly code: string
}

/** Stands where a key belongs. */
export const KEY_PLACEHOLDER = 'YOUR_API_KEY'

/** The GET of a URL for a terminal, for JavaScript and for Python, with what each brings along. */
export function callTexts(url: string): CallText[] {
  return [
    { language: 'curl', code: curlText(url) },
    { language: 'JavaScript', code: scriptText(url) },
    { language: 'Python', code: pythonText(url) },
  ]
}

// A URL here is percent-encoded ASCII without quotes, apostrophes or backslashes, so that it may
// stand between quotes of any of them; braces and brackets are encoded, which curl would expand.

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
