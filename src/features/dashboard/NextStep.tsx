import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import type { User } from '../../contract/account.ts'
import { answersIn, TRIAL_TOKENS } from '../../contract/answers.ts'
import { TOKEN_PACK } from '../../contract/catalogue.ts'
import type { Purchase } from '../../contract/receipt.ts'
import { formatDate } from '../../lib/dates.ts'
import { formatCount } from '../../lib/numbers.ts'
import { packPrice } from '../../lib/pack-price.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { onDemand } from '../../ui/on-demand.tsx'
import { takeFocus } from '../../ui/take-focus.ts'
import { DownloadLink, type Downloads } from '../download/DownloadLink.tsx'
import type { NextStep as Step, Usage } from './next-step.ts'
import { resend } from './store.ts'

const PlanEnded = onDemand('what became of your plan', () => import('./PlanEnded.tsx'))

interface Props {
  user: User
  step: Step
  /** The last purchases; null until they load. */
  bought: readonly Purchase[] | null
  downloads: Downloads
}

/** One sentence that says what to do next, with the button that does it. */
export function NextStep(props: Props) {
  const { step } = props
  const { say, note, action } = textOf(props)
  return (
    <div className="next" data-step={step.kind} aria-live="polite">
      {say !== null && <p className="next-say">{say}</p>}
      {note !== undefined && <p className="muted">{note}</p>}
      {action && <div className="row">{action}</div>}
    </div>
  )
}

interface Text {
  say: ReactNode
  note?: ReactNode
  action?: ReactNode
}

function textOf({ step, user, bought, downloads }: Props): Text {
  const isActive = user.subscription.status === 'active'
  // The panel of the plan has the button.
  const source = isActive ? (
    `A pack adds ${formatCount(TOKEN_PACK.tokens)} tokens for ${packPrice(user.preferences.currency)}.`
  ) : (
    <>
      <a href="/subscription">A plan</a> adds more.
    </>
  )
  const more = {
    note: source,
    action: isActive && (
      <ButtonLink look="primary" href="?buy=tokens">
        Purchase More Tokens
      </ButtonLink>
    ),
  }
  const app = (
    <>
      <DownloadLink look="primary" downloads={downloads} />
      <ButtonLink href="/device">Enter the code</ButtonLink>
    </>
  )
  switch (step.kind) {
    case 'wait':
      return { say: null }
    case 'refunded':
      return {
        say: null,
        note: (
          <>
            {bought !== null && <PlanEnded user={user} bought={bought} />}{' '}
            {!user.isEmailVerified && (
              <>
                To verify your email, open the link that we sent to <Address email={user.email} />
              </>
            )}
          </>
        ),
        action: user.isEmailVerified ? step.needsApp && app : <SendAgain />,
      }
    case 'verify':
      return {
        say:
          step.isTrialOn && user.tokens.total === 0
            ? `Verify your email to get ${formatCount(TRIAL_TOKENS)} free tokens.`
            : 'Verify your email.',
        note: (
          <>
            We sent a link to <Address email={user.email} />
          </>
        ),
        action: <SendAgain />,
      }
    case 'no-trial':
      return {
        say: step.isTrialOn
          ? 'No free tokens: you already had them, or none are left today.'
          : 'No free tokens for this account at present.',
        note: step.isTrialOn ? (
          <>
            Tomorrow, press “Send again” and open the link in the email, or sign in with Google. Or
            choose <a href="/subscription">a plan</a>.
          </>
        ) : (
          source
        ),
        action: step.isTrialOn && <SendAgain />,
      }
    case 'used-up':
      return { say: 'Your tokens are used up.', ...more }
    case 'get-app':
      return {
        say: 'Get the desktop app, then connect it.',
        note: 'It shows a code that you confirm here.',
        action: app,
      }
    case 'ask':
      return {
        say: 'Your app is connected. Ask it something.',
        note: 'Open a problem or start a call, then ask.',
      }
    case 'begun':
      return { say: 'You are all set.', note: 'You will soon see how long your tokens last.' }
    case 'idle':
      return { say: 'You have used no tokens for 30 days.', note: 'They stay in your account.' }
    case 'lasts':
      return {
        say: (
          <>
            At this pace, your tokens will last until <Day day={step.lastDay} />.
          </>
        ),
      }
    case 'runs-out-today':
      return { say: 'At this pace, your tokens will run out today.', ...more }
    case 'runs-out':
      return {
        say: (
          <>
            At this pace, your tokens will run out on <Day day={step.lastDay} />.
          </>
        ),
        ...more,
      }
  }
}

function Day({ day }: { day: string }) {
  return (
    <time className="mark" dateTime={day}>
      {formatDate(day)}
    </time>
  )
}

/** Breaks before its @ first. */
function Address({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <strong className="breakable">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </strong>
  )
}

function SendAgain() {
  const state = useStore(resend.$resend)
  if (state === 'sent')
    return (
      <p ref={takeFocus} tabIndex={-1}>
        Sent
      </p>
    )
  return (
    <Button
      look="primary"
      isBusy={state === 'sending'}
      busyLabel="Sending…"
      onClick={() => void resend.sendAgain()}
    >
      Send again
    </Button>
  )
}

interface FirstStepsProps {
  user: User
  /** Null until it is loaded. */
  usage: Usage | null
}

/** The steps to the first answer, until there is one. Each is ticked once the account shows that it is done. */
export function FirstSteps({ user, usage }: FirstStepsProps) {
  const isConnected = usage?.newcomer.hasDesktopApp ?? false
  const { total } = user.tokens
  // Before the first answer they are all there.
  const tokens = total > 0 ? total : TRIAL_TOKENS
  const steps = [
    {
      title: 'Verify your email',
      isDone: user.isEmailVerified,
      text: 'Click the link in our email.',
    },
    {
      title: 'Tokens to try it',
      isDone: total > 0,
      text:
        usage?.newcomer.isTrialOn === true || total > 0
          ? `${formatCount(tokens)}, about ${formatCount(answersIn(tokens))} answers.`
          : 'While we give trials.',
    },
    { title: 'Get the app', isDone: isConnected, text: 'For macOS and Windows. It costs nothing.' },
    {
      title: 'Connect it',
      isDone: isConnected,
      text: 'Sign in from the app and confirm its code here.',
    },
    {
      title: 'Get your first answer',
      isDone: false,
      text: 'Open a problem or start a call, then ask.',
    },
  ]
  const nextIndex = steps.findIndex(({ isDone }) => !isDone)
  return (
    <section className="panel">
      <h2>Five steps to your first answer</h2>
      <ol className="first-steps">
        {steps.map(({ title, isDone, text }, index) => (
          <li
            key={title}
            className="first-step"
            data-done={isDone}
            aria-current={index === nextIndex ? 'step' : undefined}
          >
            <h3>
              {title} {isDone && <span className="visually-hidden">(done)</span>}
            </h3>
            <p className="small">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
