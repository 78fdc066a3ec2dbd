import { useEffect } from 'react'
import { DataSection } from './DataSection.tsx'
import { PasswordSection } from './PasswordSection.tsx'
import { SessionsSection } from './SessionsSection.tsx'
import { SignInHistory } from './SignInHistory.tsx'
import { places } from './security-store.ts'

export default function SecurityTab() {
  useEffect(() => {
    void places.load()
  }, [])
  return (
    <>
      <PasswordSection />
      <SessionsSection />
      <SignInHistory />
      <DataSection />
    </>
  )
}
