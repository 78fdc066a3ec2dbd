import { testEngine } from './support/journeys.ts'
import { webkit } from './support/webkit.ts'

testEngine(webkit)
