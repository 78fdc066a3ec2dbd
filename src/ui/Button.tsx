import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { useDisabledUntilHydrated } from './use-hydrated.ts'

interface Style {
  look?: 'primary' | 'secondary' | 'muted' | 'danger' | undefined
  size?: 'small' | undefined
  isWide?: boolean | undefined
}

interface Props extends Style, Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> {
  ref?: Ref<HTMLButtonElement> | undefined
  /** Ignores clicks but keeps its focus. */
  isBusy?: boolean
  /** Replaces the label while busy. */
  busyLabel?: ReactNode
}

export function Button(props: Props) {
  const { look, size, isWide, isBusy, busyLabel, children, ...rest } = props
  const { onClick, type = 'button', disabled = false, ...attributes } = rest
  const untilHydrated = useDisabledUntilHydrated()
  return (
    <button
      {...attributes}
      {...untilHydrated}
      type={type}
      disabled={disabled || untilHydrated.disabled}
      className={classOf({ look, size, isWide })}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {busyLabel === undefined ? (
        children
      ) : (
        <Label key={String(isBusy)}>{isBusy ? busyLabel : children}</Label>
      )}
    </button>
  )
}

/** One element, which React can take away whole even where a translator has changed what is in it. */
function Label({ children }: { children: ReactNode }) {
  return <span className="button-label">{children}</span>
}

type LinkProps = Style & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'>

/** A link that looks like a button. */
export function ButtonLink({ look, size, isWide, ...attributes }: LinkProps) {
  return <a {...attributes} className={classOf({ look, size, isWide })} />
}

function classOf({ look = 'secondary', size, isWide }: Style): string {
  const classes = ['button', `button-${look}`, size && `button-${size}`, isWide && 'button-wide']
  return classes.filter(Boolean).join(' ')
}
