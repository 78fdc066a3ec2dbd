import type { Clip } from './clip.ts'
import { ControlIcon } from './ControlIcon.tsx'

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
      label: isPlaying ? 'Pause' : 'Play',
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
