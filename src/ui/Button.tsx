import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'

interface Props extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  ref?: Ref<HTMLButtonElement> | undefined
  look?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'normal' | 'small'
  isWide?: boolean
  /** Working: keeps its place and its focus, and does nothing when pressed again. */
  isBusy?: boolean
  /** What it says while it works. */
  busyLabel?: ReactNode
}

export function Button(props: Props) {
  const {
    look = 'secondary',
    size = 'normal',
    isWide,
    isBusy,
    busyLabel,
    children,
    ...rest
  } = props
  const { onClick, type = 'button', ...attributes } = rest
  const classes = [
    'button',
    `button-${look}`,
    size === 'small' && 'button-small',
    isWide && 'button-wide',
  ]
  return (
    <button
      {...attributes}
      type={type}
      className={classes.filter(Boolean).join(' ')}
      aria-disabled={isBusy || undefined}
      onClick={
        isBusy
          ? (event) => {
              event.preventDefault()
            }
          : onClick
      }
    >
      {isBusy && busyLabel !== undefined ? busyLabel : children}
    </button>
  )
}
