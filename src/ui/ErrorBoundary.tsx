import type { ReactNode } from 'react'
import { Component } from 'react'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

interface Props {
  /** What is missing now, e.g. "your usage". */
  of: string
  children: ReactNode
}

/** A part that crashes is replaced by a sentence; the rest of the page stands. */
export class ErrorBoundary extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    const retry = (
      <Button
        size="small"
        onClick={() => {
          this.setState({ hasFailed: false })
        }}
      >
        Try Again
      </Button>
    )
    return (
      <Notice tone="error" actions={retry}>
        We could not show {this.props.of}. The rest of the page still works.
      </Notice>
    )
  }
}
