import { Notice } from '../../ui/Notice.tsx'

/** The error of a form as a whole. */
export function Problem({ text }: { text: string | null }) {
  return text === null ? null : <Notice tone="error">{text}</Notice>
}
