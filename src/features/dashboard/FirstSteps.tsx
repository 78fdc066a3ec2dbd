import type { User } from '../../contract/account.ts'
import { answersIn, TRIAL_TOKENS } from '../../contract/answers.ts'
import { formatCount } from '../../lib/numbers.ts'
import type { Usage } from './next-step.ts'

interface Props {
  user: User
  /** Null until it is loaded. */
  usage: Usage | null
}

/** The steps to the first answer, until there is one. Each is ticked once the account shows that it is done. */
export function FirstSteps({ user, usage }: Props) {
  const isConnected = usage?.newcomer.hasDesktopApp ?? false
  const steps = [
    {
      title: 'Verify your email',
      isDone: user.isEmailVerified,
      text: 'Click the link in our email.',
    },
    {
      title: 'Tokens to try it',
      isDone: user.tokens.total > 0,
      text: `${formatCount(TRIAL_TOKENS)}, about ${answersIn(TRIAL_TOKENS)} answers.`,
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
            <p>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
