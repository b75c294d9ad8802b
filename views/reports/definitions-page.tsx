import { paths } from '../../src/platform/paths'
import { PageHead } from '../ui/page-head'

export type DefinedReport = {
  type: string
  label: string
  about: string
  figures: { label: string; meaning: string }[]
}

export function DefinitionsPage({ reports }: { reports: DefinedReport[] }) {
  return (
    <>
      <PageHead title="What the figures mean" lead="Each report in the words that its query uses.">
        <a className="button" href={paths.reports}>
          Back to Reports
        </a>
      </PageHead>
      <section className="panel">
        <h2>In all reports</h2>
        <ul className="definitions">
          <li>A period has both its first and its last day, by the business time zone.</li>
          <li>
            A location narrows a report to records at it; a transport counts when it left it or came to it, and among
            costs when it came to it.
          </li>
          <li>
            The period before has as many days, or as many whole months where the period is of whole months; before a
            month, quarter or year that is not over it has the same days of the one before.
          </li>
          <li>Totals are added up from the very rows that are shown, to the cent.</li>
        </ul>
      </section>
      {reports.map(({ type, label, about, figures }) => (
        <section key={type} className="panel" id={type}>
          <h2>{label}</h2>
          <p>{about}</p>
          <dl className="definitions">
            {figures.map((figure) => (
              <div key={figure.label}>
                <dt>{figure.label}</dt>
                <dd>{figure.meaning}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </>
  )
}
