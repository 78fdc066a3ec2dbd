import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { Factors } from '../../stores/factors.ts'

/** New recovery codes, which are never shown again. */
export function RecoveryCodes({ factors }: { factors: Factors }) {
  const codes = useStore(factors.$codes)
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(codes.join('\n'))
    setCopied(true)
  }
  return (
    <Dialog
      title="Save your recovery codes"
      isOpen={codes.length > 0}
      isLocked
      onClose={factors.hideCodes}
    >
      <p>
        Each code signs you in once if you lose your app and your passkeys. Print them or save them
        in a password manager: we cannot show them again. Older codes no longer work.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="dialog-actions">
        <Button onClick={() => void copy()}>{isCopied ? 'Copied' : 'Copy the codes'}</Button>
        <Button look="primary" onClick={factors.hideCodes}>
          I saved them
        </Button>
      </div>
    </Dialog>
  )
}
