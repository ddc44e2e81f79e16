// Thread entry: searches that would block other requests.
export { findRows } from '../../free-text/search-task.js'
