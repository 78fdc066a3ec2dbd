import { Field, type FieldProps } from './Field.tsx'

interface Props extends FieldProps<string> {
  rows: number
}

export function TextArea({ rows, onValue, ...field }: Props) {
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          rows={rows}
          dir="auto"
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}
