import { atom } from 'nanostores'
import { receiptsCsv } from '../contract/receipt-csv.ts'
import { receiptsEndpoint } from '../contract/receipt.ts'
import { sentenceOf } from './failure-text.ts'
import type { StoreDeps } from './session.ts'

interface ReceiptBooksDeps extends StoreDeps {
  /** Downloads a text as a file. */
  saveFile: (name: string, text: string) => void
}

/** The receipts and credit notes of a month as a CSV file. */
export function createReceiptBooks({ session, toasts, saveFile }: ReceiptBooksDeps) {
  const $isLoading = atom(false)

  /** `month`: "2026-11". */
  async function download(month: string) {
    if ($isLoading.get()) return
    $isLoading.set(true)
    const result = await session.call(receiptsEndpoint, { query: { month } })
    $isLoading.set(false)
    if (!result.ok) toasts.error(sentenceOf(result))
    else if (result.data.rows.length === 0) toasts.say('There are no receipts in that month.')
    else saveFile(`receipts-${month}.csv`, receiptsCsv(result.data.rows))
  }

  return { $isLoading, download }
}
