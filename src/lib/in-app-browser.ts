/** Names of apps, Android's mark of a web view, and iOS without the name of a browser. */
const INSIDE_AN_APP =
  /Instagram|FBA[NV]|FB_IAB|Opera Mini|UC ?Browser|UCWEB|; wv\)|\(iP(?!.*Safari\/)/

/**
 * Whether a user agent is a web view of an app or a browser that renders on a server. There the payment widget cannot
 * call the page back (docs/decisions/0046-the-checkout-posts-back-in-app-browsers.md).
 */
export function isInAppBrowser(userAgent: string): boolean {
  return INSIDE_AN_APP.test(userAgent)
}
