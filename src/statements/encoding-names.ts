/** The encodings that a caller may name, as the Encoding Standard of the web writes them. */
export const ENCODING_NAMES: readonly string[] = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-15',
  'cp437',
  'cp850',
  'cp852',
  'macintosh',
]
