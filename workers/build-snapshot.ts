// Thread entry: loads, follows, merges, indexes and freezes snapshots in shared memory.
export {
  discard,
  follow,
  freeze,
  index,
  load,
  merge,
  moveLog,
  stamp,
  thin,
} from '../src/snapshot/makers.js'
