import { useStore } from '@nanostores/react'
import { useId, useState } from 'react'
import { formatMonth } from '../../lib/dates.ts'
import { saveFile } from '../../lib/save-file.ts'
import { deps } from '../../stores/browser.ts'
import { createReceiptBooks } from '../../stores/receipt-books.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/SelectField.tsx'

const books = createReceiptBooks({
  ...deps,
  saveFile: (name, text) => {
    saveFile(name, text, 'text/csv')
  },
})

/** Downloads the receipts of a month in which something was bought. `months`: "2026-11", newest first. */
export function ReceiptBooks({ months }: { months: readonly string[] }) {
  const id = useId()
  const isLoading = useStore(books.$isLoading)
  const [chosen, setChosen] = useState('')
  const month = months.includes(chosen) ? chosen : (months[0] ?? '')
  return (
    <div className="receipt-books">
      <SelectField
        id={id}
        name="month"
        label="Month"
        value={month}
        options={months.map((value) => ({ value, label: formatMonth(value) }))}
        onValue={setChosen}
      />
      <Button
        isBusy={isLoading}
        busyLabel="Preparing the file…"
        onClick={() => void books.download(month)}
      >
        Receipts as CSV
      </Button>
    </div>
  )
}
