/**
 * The one place zod enters the product. `jitless` because zod would otherwise compile validators with
 * `new Function`, which our Content-Security-Policy refuses in the browser. `customError` because zod's own
 * sentences are written for developers.
 */
import * as z from 'zod'
import { faultSentence } from './fault-sentence.ts'

z.config({ jitless: true, customError: faultSentence })

export { z }
