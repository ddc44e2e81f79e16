import { sharedUint32 } from '../ordinals/ordinal.js'
import type { TextIndex } from './text-index.js'
export function chooseCommon(
  _index: Omit<TextIndex, 'commonKeys' | 'commonRows'>,
): Pick<TextIndex, 'commonKeys' | 'commonRows'> {
  return { commonKeys: sharedUint32(0), commonRows: sharedUint32(0) }
}
