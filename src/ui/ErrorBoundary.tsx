import type { ComponentType, ReactNode } from 'react'
import { Component } from 'react'
import { ButtonLink } from './Button.tsx'
import { Notice, RetryNotice } from './Notice.tsx'

/** A script that loads on demand did not load. */
export class MissingPart extends Error {
  override name = 'MissingPart'
}

interface Props {
  /** Names the part in the message: "your usage". */
  of: string
  children: ReactNode
}

interface State {
  /** `missing`: a script did not load, so only reloading the page helps. */
  failure: 'none' | 'crash' | 'missing'
}

/** Replaces a part that crashes with a message; the rest of the page keeps working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: 'none' }

  static getDerivedStateFromError(error: unknown): State {
    return { failure: error instanceof MissingPart ? 'missing' : 'crash' }
  }

  override render() {
    const { failure } = this.state
    if (failure === 'none') return this.props.children
    const text = `We could not show ${this.props.of}. The rest of the page still works.`
    if (failure === 'crash') {
      return (
        <RetryNotice onRetry={async () => this.setState({ failure: 'none' })}>{text}</RetryNotice>
      )
    }
    const reload = (
      <ButtonLink size="small" href="">
        Try Again
      </ButtonLink>
    )
    return (
      <Notice tone="error" actions={reload}>
        {text}
      </Notice>
    )
  }
}

/** A component whose crash leaves the rest of the page working. `of` names it in the message. */
export function withErrorBoundary<Props extends object>(
  of: string,
  Part: ComponentType<Props>,
): ComponentType<Props> {
  return function WithErrorBoundary(props) {
    return (
      <ErrorBoundary of={of}>
        <Part {...props} />
      </ErrorBoundary>
    )
  }
}
