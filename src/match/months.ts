/** Month -> its names in the languages of the dictionary, and their abbreviations. */
const NAMES: Readonly<Record<string, string>> = {
  JAN: 'JANUAR JANUARY JANUARI JANVIER JANV ENERO GENNAIO',
  FEB: 'FEBR FEBRUAR FEBRUARY FEBRUARI FEBRERO FEBBRAIO FEVRIER FEVR FEV',
  MAR: 'MARCH MARS MARZO MAERZ MARZ MRZ MAART MRT',
  APR: 'APRIL APRILE AVRIL AVR ABRIL',
  MAY: 'MAI MAJ MEI MAYO MAGGIO',
  JUN: 'JUNE JUNI JUNIO JUIN GIUGNO',
  JUL: 'JULY JULI JULIO JUILLET JUIL LUGLIO',
  AUG: 'AUGUST AUGUSTUS AUGUSTI AOUT AGOSTO',
  SEP: 'SEPT SEPTEMBER SEPTEMBRE SEPTIEMBRE SETTEMBRE',
  OCT: 'OKT OCTOBER OKTOBER OCTOBRE OCTUBRE OTTOBRE',
  NOV: 'NOVEMBER NOVEMBRE NOVIEMBRE',
  DEC: 'DEZ DECEMBER DEZEMBER DECEMBRE DICIEMBRE DICEMBRE',
}

/** Name of a month -> its month, three letters. */
const MONTHS: ReadonlyMap<string, string> = new Map(
  Object.entries(NAMES).flatMap(([month, names]) =>
    [month, ...names.split(' ')].map((name) => [name, month] as const),
  ),
)

/** A regular expression of all names; the longest of those that begin alike matches. */
export const MONTH_NAMES = `(?:${[...MONTHS.keys()].sort().reverse().join('|')})`

/** The month of a name in upper case: three letters; undefined for another word. */
export function monthOf(name: string): string | undefined {
  return MONTHS.get(name)
}

/** All names of a month. @param month three letters */
export function namesOf(month: string): string[] {
  return [...MONTHS].flatMap(([name, of]) => (of === month ? [name] : []))
}
