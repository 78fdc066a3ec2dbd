interface Props {
  label: string
  /** 0 to 100. */
  percent: number
}

export function ProgressBar({ label, percent }: Props) {
  return (
    <div
      className="progress-bar"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <span className="progress-bar-fill" style={{ inlineSize: `${percent}%` }} />
    </div>
  )
}
