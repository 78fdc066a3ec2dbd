import type { ReactNode } from 'react'
import { ButtonLink } from './Button.tsx'
import { Picture, type PictureName } from './Picture.tsx'
import { takeFocus } from './take-focus.ts'

interface Props {
  title: string
  children: ReactNode
  /** The words and the address of the next step. */
  next?: readonly [string, string]
  /** Other steps. */
  actions?: ReactNode
  /** Moves the focus to the title, for cards that replace the focused element. */
  takesFocus?: boolean
  /** In place of the small mark; `pictureText` is written on it. */
  picture?: PictureName
  pictureText?: string
}

/** The outcome of an action, with the next step. */
export function StatusCard(props: Props) {
  const { title, children, next, actions, takesFocus, picture, pictureText } = props
  return (
    <section className="card status-card">
      {picture === undefined ? (
        <span className="status-card-mark" aria-hidden="true" />
      ) : (
        <Picture of={picture} text={pictureText} />
      )}
      <h1 ref={takesFocus ? takeFocus : undefined} tabIndex={-1}>
        {title}
      </h1>
      <div className="status-card-text">{children}</div>
      {(next ?? actions) !== undefined && (
        <div className="row status-card-actions">
          {next !== undefined && (
            <ButtonLink look="primary" href={next[1]}>
              {next[0]}
            </ButtonLink>
          )}
          {actions}
        </div>
      )}
    </section>
  )
}
