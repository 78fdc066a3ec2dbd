import type { Clip } from './clip.ts'

interface Props {
  clips: readonly Clip[]
  index: number
  isPlaying: boolean
  isMuted: boolean
  hasCaptions: boolean
  onShow: (index: number) => void
  onPlaying: (isPlaying: boolean) => void
  onMuted: (isMuted: boolean) => void
  onCaptions: (hasCaptions: boolean) => void
}

export function ClipControls(props: Props) {
  const { clips, index, isPlaying, isMuted, hasCaptions, onShow } = props
  const { onPlaying, onMuted, onCaptions } = props
  const buttons = [
    {
      name: isPlaying ? 'pause' : 'play',
      label: isPlaying ? 'Pause the films' : 'Play the films',
      act: () => {
        onPlaying(!isPlaying)
      },
    },
    {
      name: 'previous',
      label: 'Previous film',
      act: () => {
        onShow(index - 1)
      },
    },
    {
      name: 'next',
      label: 'Next film',
      act: () => {
        onShow(index + 1)
      },
    },
    {
      name: isMuted ? 'muted' : 'loud',
      label: isMuted ? 'Unmute' : 'Mute',
      act: () => {
        onMuted(!isMuted)
      },
    },
    {
      name: 'captions',
      label: 'Captions',
      pressed: hasCaptions,
      act: () => {
        onCaptions(!hasCaptions)
      },
    },
  ] as const

  return (
    <div className="clips-controls">
      <div className="clips-buttons">
        {buttons.map(({ name, label, act, ...rest }) => (
          <button
            key={label}
            type="button"
            aria-label={label}
            title={label}
            aria-pressed={'pressed' in rest ? rest.pressed : undefined}
            onClick={act}
          >
            <ControlIcon name={name} />
          </button>
        ))}
      </div>
      <div className="clips-dots" role="group" aria-label="Choose a film">
        {clips.map((clip, dot) => (
          <button
            key={clip.id}
            type="button"
            aria-label={`Film ${dot + 1} of ${clips.length}: ${clip.title}`}
            aria-current={dot === index || undefined}
            onClick={() => {
              onShow(dot)
            }}
          />
        ))}
      </div>
    </div>
  )
}

const PATHS = {
  play: 'M6 4.5v11l9-5.5z',
  pause: 'M6.5 4.5v11M13.5 4.5v11',
  previous: 'M12 4.5 6.5 10l5.5 5.5',
  next: 'm8 4.5 5.5 5.5L8 15.5',
  muted: 'M3.5 8v4h3l4 3.5v-11L6.5 8zM13.5 8l4 4m0-4-4 4',
  loud: 'M3.5 8v4h3l4 3.5v-11L6.5 8zM13.5 7.5a3.5 3.5 0 0 1 0 5M15.5 5.5a6.5 6.5 0 0 1 0 9',
  captions: 'M2.5 5h15v10h-15zM5.5 11.5h4M12 11.5h2.5',
} as const

function ControlIcon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
