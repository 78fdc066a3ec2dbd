/** @jsxImportSource hono/jsx */
import { flagsQuery, standing } from './actions/flags.ts'
import { minuteOf } from './customer-money.ts'
import { ActionLink, Badge, type Call, show } from './page.tsx'

const NAMES = { sales: 'Sales', trial: 'Free trial' } as const

/** `GET /admin/flags`: what everybody sees or may do. */
export async function showFlags(c: Call): Promise<Response> {
  const { ctx } = c.env
  const { flags } = await ctx.db.batch({ flags: flagsQuery(ctx) })
  const flag = (name: string) => flags.find((row) => row.name === name)
  const told = standing(ctx, flag('announcement'))
  const names = ['sales', 'trial'] as const
  return show(
    c,
    { title: 'Flags' },
    <>
      {names.map((name) => {
        const isOn = flag(name)?.isOn ?? true
        const to = isOn ? 'off' : 'on'
        return (
          <p class="row">
            <strong>{NAMES[name]}</strong>{' '}
            <Badge tone={isOn ? 'green' : 'red'}>{isOn ? 'on' : 'off'}</Badge>
            <ActionLink
              kind="switch"
              target={{ flag: name, to }}
              label={`Turn ${to}`}
              of={NAMES[name]}
            />
          </p>
        )
      })}
      <h2>Announcement</h2>
      <p>
        {told === null
          ? 'Nothing is announced.'
          : `“${told.text}”${told.until === null ? '' : ` until ${minuteOf(told.until)}`}`}
      </p>
      <p class="row">
        <ActionLink kind="announce" target={{}} label="Announce" />
        {told === null ? null : (
          <ActionLink kind="end_announcement" target={{}} label="End the announcement" />
        )}
      </p>
    </>,
  )
}
