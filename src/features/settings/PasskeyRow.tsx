import { useState } from 'react'
import type { Passkey } from '../../contract/factor.ts'
import { formatMinute } from '../../lib/dates.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { onDemand, useEver } from '../../ui/on-demand.tsx'
import { Row } from '../../ui/Row.tsx'

const RenameDialog = onDemand('the form', () => import('./RenameDialog.tsx'))

interface Props {
  passkey: Passkey
  /** Called with the server's answer. */
  onRenamed: (answer: { message?: string | undefined }) => Promise<void>
  onRemove: () => Promise<unknown>
  /** What else goes with it, a sentence; '' for nothing. */
  loses: string
}

/** A passkey, with its date, its new name and its removal. */
export function PasskeyRow({ passkey, onRenamed, onRemove, loses }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const isUsed = useEver(isOpen)
  const { name, createdAt, lastUsedAt } = passkey
  const title = `Passkey: ${name}`
  return (
    <Row
      note={
        lastUsedAt === null
          ? `Added ${formatMinute(createdAt)}`
          : `Last used ${formatMinute(lastUsedAt)}`
      }
      action={
        <div className="row">
          <Button size="small" aria-label={`Rename ${title}`} onClick={() => setIsOpen(true)}>
            Rename
          </Button>
          <ConfirmButton
            size="small"
            label="Remove"
            of={title}
            title={`Remove the passkey “${name}”?`}
            yes="Remove"
            isDangerous
            onYes={onRemove}
          >
            It was added on {formatMinute(createdAt)}, and can no longer sign you in. {loses}
          </ConfirmButton>
          {isUsed && (
            <RenameDialog
              key={name}
              passkey={passkey}
              isOpen={isOpen}
              onClose={() => setIsOpen(false)}
              onRenamed={onRenamed}
            />
          )}
        </div>
      }
    >
      {title}
    </Row>
  )
}
