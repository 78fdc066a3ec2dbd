import { createStepUp } from '../../stores/step-up.ts'

/** Shared by the sections of the security tab. */
export const stepUp = createStepUp()
