import { useStore } from '@nanostores/react'
import type { ReactNode } from 'react'
import type { User } from '../../contract/account.ts'
import { answersIn, TRIAL_TOKENS } from '../../contract/answers.ts'
import { formatCount } from '../../lib/numbers.ts'
import { Panel } from '../../ui/Panel.tsx'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { DownloadLink, type Downloads } from '../download/DownloadLink.tsx'
import { resend } from './store.ts'

interface Props {
  user: User
  /** What the usage says of it; null until it is loaded. */
  usage: { sessions: { completed: number }; newcomer: { hasDesktopApp: boolean } } | null
  downloads: Downloads
}

/** The way to the first answer. Each step is done when the account shows it; the whole is gone when all are. */
export function FirstSteps({ user, usage, downloads }: Props) {
  const hasAnswer = (usage?.sessions.completed ?? 0) > 0 || user.tokens.used > 0
  const hasTokens = user.tokens.total > 0
  const isConnected = hasAnswer || (usage?.newcomer.hasDesktopApp ?? false)
  const steps: Omit<StepProps, 'isNext'>[] = [
    {
      title: 'Verify your email',
      isDone: user.isEmailVerified,
      text: (
        <>
          Please verify your email: we sent a link to{' '}
          <strong className="breakable">
            {user.email.replace(/@[^]*/, '')}
            <wbr />
            {user.email.replace(/^[^@]*/, '')}.
          </strong>
        </>
      ),
      action: (look) => <SendAgain look={look} />,
    },
    {
      title: 'Tokens to try it',
      isDone: hasTokens,
      text: user.isEmailVerified ? (
        <>
          No free tokens: this address already had them, or today’s limit is reached. Open the link
          in our mail again tomorrow, or see <a href="/subscription">the plans</a>.
        </>
      ) : (
        `${formatCount(TRIAL_TOKENS)} tokens, about ${answersIn(TRIAL_TOKENS)} answers. They come when your address is verified.`
      ),
      action: null,
    },
    {
      title: 'Get the app',
      isDone: isConnected,
      text: 'One download for macOS or Windows. It costs nothing.',
      action: (look) => <DownloadLink size="small" look={look} downloads={downloads} />,
    },
    {
      title: 'Connect it',
      isDone: isConnected,
      text: 'Sign in from the app and confirm its code here.',
      action: (look) => (
        <ButtonLink size="small" look={look} href="/device">
          Enter the code
        </ButtonLink>
      ),
    },
    {
      title: 'Get your first answer',
      isDone: hasAnswer,
      text: 'Open a problem or start a call, then ask. Only you see the answer.',
      action: null,
    },
  ]
  const nextIndex = steps.findIndex(({ isDone }) => !isDone)
  // Whose payment went back is no newcomer, and gets no tokens to try it.
  if (nextIndex === -1 || user.subscription.status === 'past_due') return null
  return (
    <Panel title="Five steps to your first answer">
      <ol className="first-steps">
        {steps.map((step, index) => (
          <Step key={step.title} {...step} isNext={index === nextIndex} />
        ))}
      </ol>
    </Panel>
  )
}

interface StepProps {
  title: string
  isDone: boolean
  /** Whether it is the first step that is not done. */
  isNext: boolean
  text: ReactNode
  /** Its button, which stands out in the next step. */
  action: ((look: Look) => ReactNode) | null
}

type Look = 'primary' | 'secondary'

function Step({ title, isDone, isNext, text, action }: StepProps) {
  return (
    <li className="first-step" data-done={isDone} aria-current={isNext ? 'step' : undefined}>
      <h3>
        {title} {isDone && <span className="visually-hidden">(done)</span>}
      </h3>
      {!isDone && <p>{text}</p>}
      {!isDone && action?.(isNext ? 'primary' : 'secondary')}
    </li>
  )
}

function SendAgain({ look }: { look: Look }) {
  const state = useStore(resend.$resend)
  if (state === 'sent') return <p>Sent</p>
  return (
    <Button
      size="small"
      look={look}
      isBusy={state === 'sending'}
      busyLabel="Sending…"
      onClick={() => void resend.sendAgain()}
    >
      Send again
    </Button>
  )
}
