import { Notice } from '../../ui/Notice.tsx'

/** What went wrong with a form as a whole. */
export function Problem({ text }: { text: string | null }) {
  return text === null ? null : <Notice tone="error">{text}</Notice>
}
