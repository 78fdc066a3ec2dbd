import type { Factors } from '../../stores/factors.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { TotpSetup } from './TotpSetup.tsx'

/** What a change of the second step opens. */
export default function FactorDialogs({ factors }: { factors: Factors }) {
  return (
    <>
      <TotpSetup factors={factors} />
      <RecoveryCodes factors={factors} />
    </>
  )
}
