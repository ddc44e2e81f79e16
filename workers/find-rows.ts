// Thread entry: searches that would keep other requests waiting.
export { findRows } from '../src/free-text/search-task.js'
