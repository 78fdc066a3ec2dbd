import { Notice } from '../../ui/Notice.tsx'

/** The error of a form as a whole. It takes the focus, because it may be out of view and the button it came from disabled. */
export function Problem({ text }: { text: string | null }) {
  return text === null ? null : (
    <Notice tone="error" takesFocus>
      {text}
    </Notice>
  )
}
