import { Shape } from '../../ui/Loading.tsx'
import { Panel } from '../../ui/Panel.tsx'

/** The dashboard before the user is known. The page's HTML contains it, so that a slow connection shows a placeholder. */
export function DashboardShape() {
  return (
    <div className="dash">
      <div className="dash-next">
        <div className="next" />
      </div>
      <div className="dash-use">
        <Shape />
      </div>
      <div className="dash-plan">
        <Panel title="Your plan" className="plain">
          <Shape />
        </Panel>
      </div>
      <div className="cards">
        <Shape />
      </div>
      <div className="dash-more">
        <Shape />
      </div>
      <Panel title="Last purchases" className="plain">
        <Shape />
      </Panel>
    </div>
  )
}
