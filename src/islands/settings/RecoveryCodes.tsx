import { useStore } from '@nanostores/react'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import type { Factors } from '../../stores/factors.ts'
import { CopyButton } from './CopyButton.tsx'

/** New recovery codes, which are never shown again. */
export function RecoveryCodes({ factors }: { factors: Factors }) {
  const codes = useStore(factors.$codes)
  return (
    <Dialog
      title="Save your recovery codes"
      isOpen={codes.length > 0}
      isLocked
      onClose={factors.hideCodes}
    >
      <p>
        Each code signs you in once if you lose your app and your passkeys. Print them or save them
        in a password manager: we cannot show them again.
      </p>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join('\n')}>Copy the codes</CopyButton>
        <Button look="primary" onClick={factors.hideCodes}>
          I saved them
        </Button>
      </div>
    </Dialog>
  )
}
