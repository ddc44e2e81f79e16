/**
 * Names of the most common type codes.
 * @see Cash Management Balance Reporting Specifications, version 2, appendix A
 */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['108', 'Credit'],
  ['115', 'Lockbox deposit'],
  ['142', 'ACH credit received'],
  ['145', 'ACH concentration credit'],
  ['165', 'Preauthorized ACH credit'],
  ['166', 'ACH settlement credit'],
  ['169', 'Miscellaneous ACH credit'],
  ['174', 'Other deposit'],
  ['175', 'Check deposit package'],
  ['191', 'Incoming internal money transfer'],
  ['195', 'Incoming money transfer'],
  ['201', 'Automatic transfer credit'],
  ['206', 'Book transfer credit'],
  ['208', 'International money transfer credit'],
  ['218', 'Foreign collection credit'],
  ['252', 'Debit reversal'],
  ['255', 'Check posted and returned'],
  ['257', 'ACH return item'],
  ['261', 'Rejected credit'],
  ['266', 'Return item'],
  ['275', 'ZBA credit'],
  ['301', 'Commercial deposit'],
  ['354', 'Interest credit'],
  ['357', 'Credit adjustment'],
  ['398', 'Miscellaneous fee refund'],
  ['399', 'Miscellaneous credit'],
  ['409', 'Debit'],
  ['447', 'ACH disbursement funding debit'],
  ['451', 'ACH debit received'],
  ['455', 'Preauthorized ACH debit'],
  ['466', 'ACH settlement debit'],
  ['469', 'Miscellaneous ACH debit'],
  ['475', 'Check paid'],
  ['491', 'Outgoing internal money transfer'],
  ['495', 'Outgoing money transfer'],
  ['501', 'Automatic transfer debit'],
  ['506', 'Book transfer debit'],
  ['508', 'International money transfer debit'],
  ['555', 'Deposited item returned'],
  ['557', 'ACH return item'],
  ['564', 'Overdraft fee'],
  ['567', 'Return item fee'],
  ['575', 'ZBA debit'],
  ['595', 'ATM debit'],
  ['631', 'Debit adjustment'],
  ['654', 'Interest debit'],
  ['661', 'Account analysis fee'],
  ['698', 'Miscellaneous fees'],
  ['699', 'Miscellaneous debit'],
])

/** Codes of totals, which are fields of an account and not those of a transaction. */
const TOTALS: ReadonlySet<string> = new Set(
  (
    '100 101 105 106 107 109 110 120 130 131 140 146 150 160 162 163 167 170 178 180 182 185 186 ' +
    '188 190 200 205 207 210 215 230 231 239 245 250 251 256 260 270 271 280 285 294 302 303 304 ' +
    '305 307 309 310 315 316 318 319 320 321 324 325 326 327 328 329 330 332 336 338 340 341 343 ' +
    '350 352 355 356 360 361 370 385 389 390 400 401 403 405 406 410 412 416 420 430 446 450 463 ' +
    '465 467 470 471 478 480 482 486 490 500 505 507 510 515 530 532 534 536 537 539 550 551 556 ' +
    '560 570 580 583 584 585 586 587 588 590 594 596 601 602 610 611 612 613 614 615 617 618 621 ' +
    '623 625 626 628 630 632 640 646 650 655 665 670 685 689 690'
  ).split(' '),
)

/**
 * The direction of a type code, since amounts have no sign: 100 to 399 and the bank's own 920 to
 * 959 are credits, 400 to 699 and 960 to 999 debits.
 * @returns undefined for balances, loans and codes without money
 */
export function directionOfType(code: string): 'credit' | 'debit' | undefined {
  if (/^(?:[123]\d\d|9[2-5]\d)$/.test(code)) return 'credit'
  return /^(?:[456]\d\d|9[6-9]\d)$/.test(code) ? 'debit' : undefined
}

/** Whether the code is that of a total of several transactions. */
export function isTotal(code: string): boolean {
  return TOTALS.has(code)
}

/** The name of a type code for a transaction, or its number. */
export function nameOfType(code: string): string {
  return NAMES.get(code) ?? `BAI ${code}`
}
