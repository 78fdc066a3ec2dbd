import { useStore } from '@nanostores/react'
import { lazy, Suspense, useState } from 'react'
import { loadPart } from '../../lib/load-part.ts'
import { Button } from '../../ui/Button.tsx'
import { accountData } from './security-store.ts'

const DeleteDialog = lazy(() => loadPart(() => import('./DeleteDialog.tsx')))

export function DataSection() {
  const isExporting = useStore(accountData.$isExporting)
  const [isDeleting, setIsDeleting] = useState(false)
  const [isWanted, setIsWanted] = useState(false)
  return (
    <section className="card panel" aria-labelledby="data-title">
      <h2 id="data-title">Your data</h2>
      <p>Everything we store about you, as one JSON file.</p>
      <Button
        isBusy={isExporting}
        busyLabel="Preparing the file…"
        onClick={() => void accountData.exportData()}
      >
        Export my data
      </Button>
      <h3>Delete account</h3>
      <p>
        Your profile, sessions and usage are erased, and the tokens left are lost. Receipts are kept
        as the law asks.
      </p>
      <Button
        look="danger"
        onClick={() => {
          setIsWanted(true)
          setIsDeleting(true)
        }}
      >
        Delete my account
      </Button>
      {isWanted && (
        <Suspense>
          <DeleteDialog
            isOpen={isDeleting}
            onClose={() => {
              setIsDeleting(false)
            }}
          />
        </Suspense>
      )}
    </section>
  )
}
