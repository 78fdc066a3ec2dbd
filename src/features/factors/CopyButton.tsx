import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

interface Props {
  /** What is copied. */
  text: string
  children: string
}

/** Copies a text, and says whether that worked: browsers inside other apps often refuse it. */
export function CopyButton({ text, children }: Props) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  const copy = async () => {
    setOutcome(null)
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
    } catch {
      setOutcome('failed')
    }
  }
  return (
    <>
      {outcome === 'failed' && (
        <Notice tone="error">Could not copy. Select the text instead.</Notice>
      )}
      <Button onClick={() => void copy()}>{outcome === 'copied' ? 'Copied' : children}</Button>
      <span role="status" className="visually-hidden">
        {outcome === 'copied' && 'Copied'}
      </span>
    </>
  )
}
