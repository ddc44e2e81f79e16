// Thread entry: searches that would block other requests.
export { findRows } from '../src/free-text/search-task.js'
