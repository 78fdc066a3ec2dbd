/** @jsxImportSource hono/jsx */
import { inMinutes } from '../domain/time.ts'
import { flagsQuery, standing } from './actions/flags.ts'
import { ActionLink, Badge, type Call, show } from './page.tsx'

const FLAGS = { sales: 'Sales', trial: 'Free trial' }

/** `GET /admin/flags`: what everybody sees or may do. */
export async function showFlags(c: Call): Promise<Response> {
  const { ctx } = c.env
  const { flags } = await ctx.db.batch({ flags: flagsQuery(ctx) })
  const rowOf = (name: string) => flags.find((row) => row.name === name)
  const announced = standing(ctx, rowOf('announcement'))
  const end = announced?.until == null ? '' : ` until ${inMinutes(announced.until)} UTC`
  return show(
    c,
    { title: 'Flags' },
    <>
      {Object.entries(FLAGS).map(([flag, name]) => {
        const isOn = rowOf(flag)?.isOn ?? true
        const to = isOn ? 'off' : 'on'
        return (
          <p class="row">
            <strong>{name}</strong>{' '}
            <Badge tone={isOn ? 'green' : 'red'}>{isOn ? 'on' : 'off'}</Badge>
            <ActionLink kind="set_flag" target={{ flag, to }} label={`Turn ${to}`} of={name} />
          </p>
        )
      })}
      <h2>Announcement</h2>
      <p>{announced === null ? 'Nothing is announced.' : `“${announced.text}”${end}`}</p>
      <p class="row">
        <ActionLink kind="announce" target={{}} label="Announce" />
        {announced === null ? null : (
          <ActionLink kind="end_announcement" target={{}} label="End the announcement" />
        )}
      </p>
    </>,
  )
}
