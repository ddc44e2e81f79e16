import type { ToolView } from './tool.js'

/** The sentences of a description on the masked values of answers; `''` = none is masked. */
export function masksText({ masksIbans, masksNames }: ToolView): string {
  const sentences: string[] = []
  if (masksIbans) {
    sentences.push(
      'IBANs and account numbers are masked to their last four characters ("…3000"); a masked ' +
        'IBAN of an earlier answer can be sent where an IBAN is expected.',
    )
  }
  if (masksNames) {
    sentences.push(
      'Names of counterparts are replaced by pseudonyms ("Counterpart 5f0c…"), the same for the ' +
        'same name; one of an earlier answer can be sent as or within search.',
    )
  }
  return sentences.map((sentence) => `\n${sentence}`).join('')
}
