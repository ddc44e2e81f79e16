/**
 * Names of the common concepts (conceptos comunes).
 * @see AEB, Cuaderno 43, annex 1
 */
const CONCEPTS: Readonly<Record<string, string>> = {
  '01': 'Talones, reintegros',
  '02': 'Abonarés, entregas, ingresos',
  '03': 'Domiciliados, recibos, letras, pagos por su cuenta',
  '04': 'Giros, transferencias, traspasos, cheques',
  '05': 'Amortizaciones de préstamos y créditos',
  '06': 'Remesas de efectos',
  '07': 'Suscripciones, dividendos pasivos, canjes',
  '08': 'Dividendos, cupones, prima de junta, amortizaciones',
  '09': 'Operaciones de bolsa, compra y venta de valores',
  '10': 'Cheques gasolina',
  '11': 'Cajero automático',
  '12': 'Tarjetas de crédito y débito',
  '13': 'Operaciones extranjero',
  '14': 'Devoluciones e impagados',
  '15': 'Nóminas, seguros sociales',
  '16': 'Timbres, corretaje, póliza',
  '17': 'Intereses, comisiones, custodia, gastos e impuestos',
  '98': 'Anulaciones, correcciones de asiento',
  '99': 'Varios',
}

/** The name of a common concept of two digits, else the code; undefined when it is blank. */
export function nameOfConcept(code: string): string | undefined {
  return CONCEPTS[code] ?? (code.trim() === '' ? undefined : code.trim())
}
