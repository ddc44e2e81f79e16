// Thread entry: waits for the disk in the place of the thread that answers.
export { moveControlLog } from '../src/store/control-log.js'
