import { runRooms } from './run-rooms.js'

runRooms(false)
