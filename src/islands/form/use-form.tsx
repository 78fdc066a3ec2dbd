import { useStore } from '@nanostores/react'
import type { FocusEvent, SyntheticEvent } from 'react'
import { useEffect, useId, useRef } from 'react'
import type { Form } from '../../stores/form.ts'
import { Notice } from '../../ui/Notice.tsx'
import { takeFocus } from '../../ui/take-focus.ts'

export type Values = Record<string, string | boolean>

/** A form store as the props of its controls; puts the focus on the first wrong field. */
export function useForm<V extends Values>(form: Form<V>) {
  const state = useStore(form.$form, { ssr: 'initial' })
  const element = useRef<HTMLFormElement>(null)
  const prefix = useId()

  useEffect(() => {
    if (state.focus === null) return
    const control = element.current?.elements.namedItem(state.focus.field)
    if (control instanceof HTMLElement) takeFocus(control)
  }, [state.focus])

  return {
    state,
    bind: <Name extends keyof V & string>(name: Name) => ({
      id: `${prefix}-${name}`,
      name,
      value: state.values[name],
      error: state.errors[name],
      onValue: (value: V[Name]) => form.setValue(name, value),
      onLeave: ({ relatedTarget }: FocusEvent) => {
        // Only when another control takes the focus: a new message would move a button that the user is pressing.
        if (isControl(relatedTarget)) form.leaveField(name)
      },
    }),
    /** The button that submits. */
    submit: { type: 'submit', look: 'primary', isBusy: state.isSubmitting } as const,
    frame: {
      ref: element,
      noValidate: true,
      method: 'post',
      onSubmit: (event: SyntheticEvent) => {
        event.preventDefault()
        void form.submit()
      },
    },
  }
}

function isControl(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
}

/** The error of a form as a whole. It takes the focus, because it may be out of view and the button it came from disabled. */
export function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <Notice tone="error" takesFocus>
      {text}
    </Notice>
  )
}
