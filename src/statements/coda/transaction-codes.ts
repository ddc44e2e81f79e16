/** Operations with the same meaning in every family; those of a family take precedence. */
const COMMON_OPERATIONS: Readonly<Record<string, string>> = {
  '37': 'Costs',
  '49': 'Cancellation or correction',
  '87': 'Reimbursement of costs',
  '99': 'Cancellation or correction',
}

interface CodeFamily {
  readonly name: string
  readonly operations: Readonly<Record<string, string>>
}

const TRANSFERS: Readonly<Record<string, string>> = {
  '01': 'Individual transfer order',
  '02': 'Individual transfer order initiated by the bank',
  '03': 'Standing order',
  '05': 'Payment of wages',
  '07': 'Collective transfer',
  '13': 'Transfer from your account',
  '17': 'Financial centralisation',
  '50': 'Transfer in your favour',
  '51': 'Transfer in your favour, initiated by the bank',
  '52': 'Payment in your favour',
  '54': 'Unexecutable transfer order',
  '64': 'Transfer to your account',
  '66': 'Financial centralisation',
}

/**
 * Names of the families and, for the most common ones, of their operations.
 * @see Febelfin, Coded statement of account (CODA), annex II
 */
const FAMILIES: Readonly<Record<string, CodeFamily>> = {
  '01': { name: 'SEPA credit transfer', operations: TRANSFERS },
  '02': { name: 'Instant SEPA credit transfer', operations: TRANSFERS },
  '03': {
    name: 'Cheque',
    operations: {
      '01': 'Payment of your cheque',
      '15': 'Your purchase bank cheque',
      '17': 'Your certified cheque',
      '52': 'First credit of cheques',
      '58': 'Remittance of cheques',
      '62': 'Reversal of cheque',
    },
  },
  '04': {
    name: 'Card',
    operations: {
      '02': 'Payment within the euro zone',
      '03': 'Settlement of credit cards',
      '04': 'Cash withdrawal from an ATM',
      '08': 'Payment outside the euro zone',
      '09': 'Upload of prepaid card',
      '50': 'Credit after a payment at a terminal',
      '53': 'Cash deposit at an ATM',
    },
  },
  '05': {
    name: 'Direct debit',
    operations: {
      '01': 'Payment',
      '03': 'Unpaid debt',
      '05': 'Reimbursement',
      '50': 'Credit after collection',
      '52': 'Credit under usual reserve',
      '54': 'Reimbursement',
      '56': 'Unexecutable reimbursement',
      '58': 'Reversal',
    },
  },
  '07': { name: 'Domestic commercial paper', operations: {} },
  '09': {
    name: 'Counter transaction',
    operations: {
      '01': 'Cash withdrawal',
      '13': 'Cash withdrawal by your branch or agents',
      '50': 'Cash payment',
      '52': 'Payment night safe',
      '58': 'Payment by your branch or agents',
    },
  },
  '11': {
    name: 'Securities',
    operations: {
      '01': 'Purchase of securities',
      '03': 'Subscription to securities',
      '17': 'Management fee',
      '50': 'Sale of securities',
    },
  },
  '13': {
    name: 'Credit',
    operations: {
      '01': 'Short-term loan',
      '02': 'Long-term loan',
      '05': 'Settlement of fixed advance',
      '07': 'Your repayment of instalment credits',
      '11': 'Your repayment of mortgage loan',
      '50': 'Settlement of instalment credit',
      '60': 'Settlement of mortgage loan',
      '62': 'Term loan',
    },
  },
  '30': {
    name: 'Various transactions',
    operations: {
      '01': 'Spot purchase of foreign exchange',
      '05': 'Capital or interest of term investment',
      '33': 'Value date correction',
      '50': 'Spot sale of foreign exchange',
      '54': 'Capital or interest of term investment',
      '83': 'Value date correction',
    },
  },
  '35': { name: 'Closing', operations: { '01': 'Closing', '50': 'Closing' } },
  '41': {
    name: 'International credit transfer',
    operations: {
      '01': 'Transfer',
      '03': 'Standing order',
      '07': 'Collective transfers',
      '13': 'Transfer from your account',
      '37': 'Costs of outgoing transfers',
      '38': 'Costs of incoming transfers',
      '50': 'Transfer',
      '64': 'Transfer to your account',
    },
  },
  '43': { name: 'Foreign cheque', operations: {} },
  '47': { name: 'Foreign commercial paper', operations: {} },
  '80': {
    name: 'Separately charged costs',
    operations: {
      '07': 'Insurance costs',
      '13': 'Renting of safes',
      '27': 'Subscription fee',
      '33': 'Miscellaneous fees and commissions',
      '35': 'Costs',
      '47': 'Charging fees for transactions',
    },
  },
}

/**
 * The name of a transaction code: family and operation, `SEPA credit transfer: Standing order`.
 * @param code 8 digits: type, family (2), operation (2), category (3)
 * @returns the family and the operation's code if the operation has no name; the code alone if the
 *   family has none; undefined for a code without digits
 */
export function nameOfCodaTransaction(code: string): string | undefined {
  if (!/^\d{8}$/.test(code)) return code.trim() === '' ? undefined : code.trim()
  const operation = code.slice(3, 5)
  const family = FAMILIES[code.slice(1, 3)]
  if (family === undefined) return code
  const { name, operations } = family
  return `${name}: ${operations[operation] ?? COMMON_OPERATIONS[operation] ?? operation}`
}
