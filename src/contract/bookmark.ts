/**
 * In an answer, the last write that it has seen, as a whole number. A client that sends it back reads its own writes, from a
 * replica too (docs/decisions/0142-reads-that-may-lag-go-to-a-replica.md).
 */
export const BOOKMARK_HEADER = 'X-Bookmark'
