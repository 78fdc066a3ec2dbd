import type { ReactNode } from 'react'
import { Component } from 'react'
import { Button, ButtonLink } from './Button.tsx'
import { Notice } from './Notice.tsx'

interface Props {
  /** Names the part in the message: "your usage". */
  of: string
  /** Stays above the message: the button that brought the part. */
  kept?: ReactNode
  children: ReactNode
}

interface State {
  /** `missing`: a script did not load (src/lib/load-part.ts), so only reloading the page helps. */
  failure: 'none' | 'crash' | 'missing'
}

/** Replaces a part that crashes with a message; the rest of the page keeps working. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failure: 'none' }

  static getDerivedStateFromError(error: unknown): State {
    const isMissing = error instanceof Error && error.name === 'MissingPart'
    return { failure: isMissing ? 'missing' : 'crash' }
  }

  override render() {
    const { failure } = this.state
    if (failure === 'none') return this.props.children
    const retry =
      failure === 'missing' ? (
        <ButtonLink size="small" href="">
          Try Again
        </ButtonLink>
      ) : (
        <Button
          size="small"
          onClick={() => {
            this.setState({ failure: 'none' })
          }}
        >
          Try Again
        </Button>
      )
    return (
      <>
        {this.props.kept}
        <Notice tone="error" actions={retry}>
          We could not show {this.props.of}. The rest of the page still works.
        </Notice>
      </>
    )
  }
}
