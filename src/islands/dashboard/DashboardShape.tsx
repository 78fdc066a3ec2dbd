import { Shape } from '../../ui/Shape.tsx'

/** The dashboard before the user is known. The HTML of the page has it, so that a slow line shows what comes. */
export function DashboardShape() {
  return (
    <div className="stack">
      <Shape />
      <div className="columns">
        <Panel title="Last 30 days" />
        <Panel title="Your plan" />
      </div>
      <div className="columns">
        <Panel title="Last purchases" />
        <Panel title="The desktop app" />
      </div>
    </div>
  )
}

function Panel({ title }: { title: string }) {
  return (
    <section className="card panel">
      <h2>{title}</h2>
      <Shape />
    </section>
  )
}
