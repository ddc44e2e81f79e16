import type { VNode } from '../../browser/jsx.js'

/** An IBAN in groups of four, as printed on paper. @param iban compact */
export function IbanText({ iban }: { readonly iban: string }): VNode {
  return <span class="iban">{iban.replace(/(.{4})(?=.)/g, '$1 ')}</span>
}
