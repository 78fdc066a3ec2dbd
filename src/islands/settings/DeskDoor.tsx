import { useEffect, useState } from 'react'
import { openDeskEndpoint } from '../../contract/desk-door.ts'
import { environment, session } from '../../stores/browser.ts'
import { Notice } from '../../ui/Notice.tsx'
import { StepUp } from './StepUp.tsx'
import { stepUp } from './step-up.ts'

/** /settings?tab=desk: the operators' way to the desk. For everybody else there is no such tab. */
export default function DeskDoor() {
  const [problem, setProblem] = useState('')
  useEffect(() => {
    void stepUp
      .confirmed(() => session.call(openDeskEndpoint, {}))
      .then((result) => {
        if (result.ok) environment.navigateInstead('/desk')
        else if (result.code !== 'NOT_FOUND') setProblem(result.message)
      })
  }, [])
  return (
    <>
      <StepUp />
      {problem !== '' && <Notice tone="error">{problem}</Notice>}
    </>
  )
}
