/** Apps by the names they put in, Android's own word for a view inside an app, and iOS without a browser's name. */
const INSIDE_AN_APP =
  /Instagram|FBA[NV]|FB_IAB|Opera Mini|UC ?Browser|UCWEB|; wv\)|\(iP(?!.*Safari\/)/

/**
 * Whether a page is shown inside an app, or by a browser that renders elsewhere: there the payment widget cannot call
 * the page back (docs/decisions/0046-the-checkout-posts-back-in-app-browsers.md).
 */
export function isInAppBrowser(userAgent: string): boolean {
  return INSIDE_AN_APP.test(userAgent)
}
