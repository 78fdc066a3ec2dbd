import { useStore } from '@nanostores/react'
import { useState } from 'react'
import { createDataExport } from './data-export.ts'
import { Button } from '../../ui/Button.tsx'
import { onDemand, useEver } from '../../ui/on-demand.tsx'
import { Panel } from '../../ui/Panel.tsx'
import type { Factors } from './factors.ts'
import { Loaded } from '../resource/Loaded.tsx'

const DeleteDialog = onDemand('this form', () => import('./DeleteDialog.tsx'))

const dataExport = createDataExport()

/** The export, and the deletion, which needs to know whether the account has a password. */
export function DataSection({ factors }: Pick<Factors, 'factors'>) {
  const isExporting = useStore(dataExport.$isBusy)
  const [isDeleting, setIsDeleting] = useState(false)
  const isUsed = useEver(isDeleting)
  return (
    <Panel title="Your data">
      <p>
        A copy of your account data, as one JSON file. It leaves out what Razorpay reported in its
        own words, the text of emails and what went wrong with a payment; ask{' '}
        <a href="/contact">support</a> for these.
      </p>
      <Button
        isBusy={isExporting}
        busyLabel="Preparing the file…"
        onClick={() => void dataExport.run()}
      >
        Export my data
      </Button>
      <h3>Delete account</h3>
      <p>
        Your profile and sessions are erased, and any remaining tokens are lost. Receipts, payments
        and some records stay: see <a href="/privacy#what-deletion-leaves">what deletion leaves</a>.
      </p>
      <Button look="danger" onClick={() => setIsDeleting(true)}>
        Delete my account
      </Button>
      {isUsed && (
        <Loaded resource={factors} loading="One moment…">
          {({ hasPassword }) => (
            <DeleteDialog
              hasPassword={hasPassword}
              isOpen={isDeleting}
              onClose={() => setIsDeleting(false)}
            />
          )}
        </Loaded>
      )}
    </Panel>
  )
}
