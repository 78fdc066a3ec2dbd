import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'

interface Props {
  /** What is copied. */
  text: string
  children: string
}

/** Copies a text, and says so. */
export function CopyButton({ text, children }: Props) {
  const [label, setLabel] = useState(children)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setLabel('Copied')
  }
  return <Button onClick={() => void copy()}>{label}</Button>
}
