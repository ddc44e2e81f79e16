import { runRooms } from './run-rooms.js'

runRooms(true)
