import { useStore } from '@nanostores/react'
import { Notice } from '../../ui/Notice.tsx'
import { confirmingText } from './confirming.ts'
import type { LastPurchases } from './last-purchases.ts'

/** Says that a payment is being confirmed, so that nobody pays again meanwhile. */
export function ConfirmingNotice({ purchases }: { purchases: LastPurchases }) {
  const { data } = useStore(purchases.$resource, { ssr: 'initial' })
  const text = data && confirmingText(data.purchases)
  return text ? <Notice tone="muted">{text}</Notice> : null
}
