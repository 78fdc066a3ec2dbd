import { firefox } from './support/firefox.ts'
import { testEngine } from './support/journeys.ts'

testEngine(firefox)
