/** Names of apps, Android's mark of a web view, and iOS without the name of a browser. */
const INSIDE_AN_APP = /Instagram|FBA[NV]|FB_IAB|LinkedInApp|; wv\)|\(iP(?!.*Safari\/)/
const RENDERED_ELSEWHERE = /Opera Mini|UC ?Browser|UCWEB/

/** Whether a user agent is a web view of another app. Google signs nobody in there. */
export function isInsideAnApp(userAgent: string): boolean {
  return INSIDE_AN_APP.test(userAgent) && !RENDERED_ELSEWHERE.test(userAgent)
}

/**
 * Whether a user agent is a web view of an app or a browser that renders on a server. There the payment widget cannot
 * call the page back (docs/decisions/0046-the-checkout-posts-back-in-app-browsers.md).
 */
export function isInAppBrowser(userAgent: string): boolean {
  return INSIDE_AN_APP.test(userAgent) || RENDERED_ELSEWHERE.test(userAgent)
}
