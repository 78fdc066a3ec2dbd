import { useStore } from '@nanostores/react'
import { useEffect, useState } from 'react'
import { formatMinor } from '../../contract/amount.ts'
import type { RefundQuote } from '../../contract/refund.ts'
import { formatDay } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import type { WithdrawalRequest } from '../../lib/mailed-refund.ts'
import { createWithdrawal } from './withdrawal.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Fact } from '../../ui/Fact.tsx'
import { Loading } from '../../ui/Loading.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { Problem } from '../form/use-form.tsx'
import { StepUp } from '../factors/StepUp.tsx'

interface Props {
  /** Another object opens the dialog again. */
  request: WithdrawalRequest
  onAsked: () => void
}

/** The dialog in which a buyer sees what goes back, and withdraws from a purchase. */
export default function Withdrawal({ request, onAsked }: Props) {
  const [withdrawal] = useState(() => createWithdrawal({ onAsked }))
  useEffect(() => void withdrawal.open(request.purchaseId, request.secret), [withdrawal, request])
  const state = useStore(withdrawal.$withdrawal)
  return (
    <>
      <Dialog
        title={titleOf(state.step)}
        isOpen={state.step !== 'closed'}
        onClose={withdrawal.close}
      >
        <Body withdrawal={withdrawal} />
      </Dialog>
      <StepUp />
    </>
  )
}

function titleOf(step: string): string {
  if (step === 'asked') return 'Refund requested'
  return step === 'failed' ? 'Refund' : 'Withdraw from this contract and get a refund?'
}

interface BodyProps {
  withdrawal: ReturnType<typeof createWithdrawal>
}

function Body({ withdrawal }: BodyProps) {
  const state = useStore(withdrawal.$withdrawal)
  switch (state.step) {
    case 'closed':
      return null
    case 'loading':
      return <Loading>Calculating your refund…</Loading>
    case 'failed':
      return (
        <>
          <Problem text={state.problem} />
          <Closing withdrawal={withdrawal} />
        </>
      )
    case 'quote':
      return <Quote {...state} withdrawal={withdrawal} />
    case 'link-sent':
    case 'asked': {
      const sum = formatMinor(state.refund.amount, state.refund.currency)
      return (
        <>
          <p role="status" ref={takeFocus} tabIndex={-1}>
            {state.step === 'link-sent'
              ? `We emailed you a link. Open it within an hour to confirm the refund of ${sum}. Until then nothing changes.`
              : `You withdrew from this contract. ${sum} will be refunded to your original payment method. Banks usually show it within 5 to 7 working days. We’ve emailed you a confirmation, and will email you again when it is sent.`}
          </p>
          <Closing withdrawal={withdrawal} />
        </>
      )
    }
  }
}

function Closing({ withdrawal }: BodyProps) {
  return (
    <div className="dialog-actions">
      <Button look="primary" onClick={withdrawal.close}>
        Close
      </Button>
    </div>
  )
}

interface QuoteProps extends BodyProps {
  refund: RefundQuote
  isBusy: boolean
  problem: string | null
}

function Quote({ withdrawal, refund, isBusy, problem }: QuoteProps) {
  const { item, kind, price, currency, tokens, unusedTokens, amount, until } = refund
  return (
    <div className="form">
      <Problem text={problem} />
      {/* The dialog opened before there was anything to read. */}
      <dl className="facts" ref={takeFocus} tabIndex={-1}>
        <Fact name="Purchase">{item}</Fact>
        <Fact name="Paid">{formatMinor(price, currency)}</Fact>
        <Fact name="Unused">{`${formatCount(unusedTokens)} of ${formatCount(tokens)} tokens`}</Fact>
        <Fact name="You get back">
          <strong>{formatMinor(amount, currency)}</strong>
        </Fact>
      </dl>
      <p>
        {`The unused tokens of this purchase are removed from your account at once${kind === 'plan' ? ', and your plan ends' : ''}. You can do this until ${formatDay(until)}, and it cannot be undone. Banks usually show the money within 5 to 7 working days.`}
      </p>
      <div className="dialog-actions">
        <Button isBusy={isBusy} onClick={withdrawal.close}>
          Keep my purchase
        </Button>
        <Button
          look="danger"
          isBusy={isBusy}
          busyLabel="One moment…"
          onClick={() => void withdrawal.confirm()}
        >
          {/* The words that the directive asks for. */}
          Confirm withdrawal
        </Button>
      </div>
    </div>
  )
}
