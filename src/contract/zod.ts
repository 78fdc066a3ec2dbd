/**
 * The one place zod enters the product. `jitless` because zod would otherwise compile validators with
 * `new Function`, which our Content-Security-Policy refuses in the browser.
 */
import * as z from 'zod'

z.config({ jitless: true })

export { z }
