import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Question } from '../../ui/Question.tsx'
import { places } from './security-store.ts'

/** Ends every session but this one, after a question. */
export default function EndOthers() {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <>
      <Button
        onClick={() => {
          setIsAsking(true)
        }}
      >
        End all other sessions
      </Button>
      <Question
        title="End all other sessions?"
        isOpen={isAsking}
        yes="End all other sessions"
        isDangerous
        onYes={places.endOthers}
        onClose={() => {
          setIsAsking(false)
        }}
      >
        Every other browser and desktop app has to sign in again. This one stays signed in.
      </Question>
    </>
  )
}
