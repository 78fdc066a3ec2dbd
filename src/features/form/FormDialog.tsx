import type { ReactNode } from 'react'
import type { Form } from './form.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Problem, useForm, type Values } from './use-form.tsx'

interface Props<V extends Values> {
  title: string
  form: Form<V>
  isOpen: boolean
  isWide?: boolean
  startsAtHeading?: boolean
  onClose: () => void
  /** Names the action itself, never "OK". */
  yes: string
  no?: string
  busyLabel: string
  look?: 'primary' | 'danger'
  /** The fields. */
  children: (form: ReturnType<typeof useForm<V>>) => ReactNode
}

/** A dialog with a form, which empties when it is closed. */
export function FormDialog<V extends Values>(props: Props<V>) {
  const { form, onClose, yes, no = 'Cancel', busyLabel, look, children, ...dialog } = props
  const bound = useForm(form)
  const close = () => {
    onClose()
    form.reset()
  }
  return (
    <Dialog {...dialog} onClose={close}>
      <form {...bound.formProps} className="form">
        {children(bound)}
        <Problem text={bound.state.problem} />
        <div className="dialog-actions">
          <Button onClick={close} isBusy={bound.state.isSubmitting}>
            {no}
          </Button>
          <Button {...bound.submitProps} {...(look && { look })} busyLabel={busyLabel}>
            {yes}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
