import { saveFile } from '../../lib/save-file.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from './CopyButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'

interface Props {
  codes: readonly string[]
  onSaved: () => void
}

/** New recovery codes, which are never shown again. Open while there are any. */
export default function RecoveryCodes({ codes, onSaved }: Props) {
  return (
    <Dialog
      title="Save your recovery codes"
      isOpen={codes.length > 0}
      isWide
      isLocked
      onClose={onSaved}
    >
      <p>
        Each code signs you in once if you lose your app and your passkeys. Save them as a file,
        print them or keep them in a password manager: we cannot show them again.
      </p>
      <ul className="recovery-codes" translate="no">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="dialog-actions">
        <CopyButton text={codes.join('\n')}>Copy the codes</CopyButton>
        <Button onClick={() => saveFile('recovery-codes.txt', codes.join('\n'), 'text/plain')}>
          Save as a file
        </Button>
        <Button onClick={() => print()}>Print</Button>
        <Button look="primary" onClick={onSaved}>
          I saved them
        </Button>
      </div>
    </Dialog>
  )
}
