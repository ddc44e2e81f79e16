// Thread entry: waits for the disk in the place of the thread that answers.
import { constants, setPriority } from 'node:os'

export { moveControlLog } from '../src/store/control-log.js'

// Of this thread alone, on Linux: what it does can wait, and it is not to keep that one waiting.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
