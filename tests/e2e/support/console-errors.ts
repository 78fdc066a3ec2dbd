/** What the browser logs when the server rejects a call, as the test intends. */
export const REJECTED = /the server responded with a status of 4\d\d/

/** What it logs when a call fails on the server or is aborted. */
export const FAILED = /the server responded with a status of 5\d\d|net::ERR_FAILED/

/** What the browser and the islands log when a script does not load. */
export const NOT_LOADED =
  /net::ERR_FAILED|Error hydrating|did not load|dynamically imported module|status of 404/

/** What it logs when signing out rejects pending calls and skips a page transition. */
export const SIGNED_OUT = /status of 401|Transition was skipped/
