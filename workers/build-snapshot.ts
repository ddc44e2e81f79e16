// Thread entry: loads, follows, merges and indexes snapshots in shared memory.
export { follow, index, load, merge, thin } from '../src/snapshot/makers.js'
