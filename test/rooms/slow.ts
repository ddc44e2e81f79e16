import { runRooms } from './run-rooms.js'

await runRooms(true)
