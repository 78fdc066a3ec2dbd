import type { Clip } from './clip.ts'
import { aiInterviewAssistant } from './scenes/ai-interview-assistant.ts'
import { designDiagrams } from './scenes/design-diagrams.ts'
import { managementQuestions } from './scenes/management-questions.ts'
import { productManagementInterview } from './scenes/product-management-interview.ts'
import { professionalCommunication } from './scenes/professional-communication.ts'
import { systemDesign } from './scenes/system-design.ts'

/** The films in the order in which the landing page shows them. */
export const catalogue: readonly Clip[] = [
  aiInterviewAssistant,
  designDiagrams,
  productManagementInterview,
  professionalCommunication,
  systemDesign,
  managementQuestions,
]
