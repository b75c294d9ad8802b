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
      <PageHead title="Figure definitions" lead="How each figure of each report is calculated.">
        <a className="button" href={paths.reports}>
          Back to Reports
        </a>
      </PageHead>
      <section className="panel">
        <h2>In all reports</h2>
        <ul className="definitions">
          <li>A period includes its first and last day, in the business time zone.</li>
          <li>
            A location limits a report to records at that location. A transport is included if it left or reached the
            location. Monthly Costs, Location Costs, Transports by Location and the amount spent in Budget Analysis
            include its cost only if the transport reached the location. All other figures include it in both cases.
          </li>
          <li>
            The previous period has the same number of days. If the period consists of whole months, the previous period
            has the same number of months. For an unfinished month, quarter or year, the previous period covers the same
            days of the month, quarter or year before.
          </li>
          <li>Each total is exactly the sum of the rows shown, to the cent.</li>
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
