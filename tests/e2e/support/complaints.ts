/** What the browser writes when a call is refused, as the test wants it to be. */
export const REFUSED = /the server responded with a status of 4\d\d/

/** What it writes when a call fails on our side, or has no way through. */
export const FAILED = /the server responded with a status of 5\d\d|net::ERR_FAILED/

/** What was under way when somebody signed out is refused, and the page's transition is cut short. */
export const SIGNED_OUT = /status of 401|Transition was skipped/
