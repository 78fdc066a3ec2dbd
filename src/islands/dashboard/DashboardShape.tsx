import { Panel } from '../../ui/Panel.tsx'
import { Shape } from '../../ui/Loading.tsx'

/** The dashboard before the user is known. The HTML of the page has it, so that a slow line shows what comes. */
export function DashboardShape() {
  return (
    <div className="stack">
      <Shape />
      <div className="columns">
        <Coming title="Last 30 days" />
        <Coming title="Your plan" />
      </div>
      <div className="columns">
        <Coming title="Last purchases" />
        <Coming title="The desktop app" />
      </div>
    </div>
  )
}

function Coming({ title }: { title: string }) {
  return (
    <Panel title={title}>
      <Shape />
    </Panel>
  )
}
