/** The encodings that a caller may specify, as in the Encoding Standard of the web. */
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
