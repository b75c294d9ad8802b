import { OSL_STATUSES } from '../../db/vocabulary'
import type { Meta } from '../../src/http/answers'
import type { OslFilters as OslQuery, OslEntry as OslRow } from '../../src/osl/queries'
import { paths } from '../../src/paths'
import { cut, NONE, showCount, showDate, showMoney } from '../format'
import { Island } from '../island'
import { optionsOf } from '../ui/fields'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { BulkDate, BulkSelect, pickColumn } from '../ui/selection'

type Props = { rows: OslRow[]; query: OslQuery; meta: Meta; feesTotal: number | null }

export function ActiveOslPage({ rows, query, meta, feesTotal }: Props) {
  return (
    <>
      <PageHead
        title="Active OSL"
        lead={`${showCount(meta.total)} out of service${feesTotal === null ? '' : `, storage fees so far ${showMoney(feesTotal)}`}`}
      >
        <a className="button button-primary" href={paths.osl.create}>
          <PlusIcon /> New OSL entry
        </a>
      </PageHead>
      <List
        path={paths.osl.active}
        file={paths.api.exports('osl-active')}
        keptAs="osl-active"
        live="osl_entries"
        query={query}
        meta={meta}
        rows={rows}
        caption="Active OSL entries"
        search="Search unit, RA, problem or location"
        filters={[
          {
            name: 'status',
            label: 'Status',
            any: 'All statuses',
            options: optionsOf(OSL_STATUSES.filter((status) => status !== 'Completed')),
          },
        ]}
        empty={{ title: 'No vehicle is out of service', hint: <a href={paths.osl.create}>Enter one</a> }}
        selection={{
          kind: 'osl',
          list: 'active',
          fields: (
            <>
              <BulkSelect name="status" label="Status" options={OSL_STATUSES} />
              <BulkDate name="completed_on" label="Completed on" />
            </>
          ),
        }}
        columns={[
          pickColumn(),
          {
            label: 'Unit #',
            sort: 'unit_number',
            cell: (row) => <a href={paths.osl.show(row.id)}>{row.unit_number}</a>,
          },
          {
            label: 'Status',
            sort: 'status',
            cell: (row) => (
              <Island
                name="status-dropdown"
                id={`osl-status-${row.id}`}
                props={{
                  of: `Unit ${row.unit_number}`,
                  status: row.status,
                  version: row.version,
                  options: OSL_STATUSES,
                  leaving: 'Completed',
                  day: { name: 'completed_on', label: 'Completed' },
                  api: paths.api.osl(row.id),
                  action: paths.osl.status(row.id),
                }}
              />
            ),
          },
          { label: 'OSL date', sort: 'osl_date', cell: (row) => showDate(row.osl_date) },
          { label: 'Location', sort: 'location_name', cell: (row) => row.location_name },
          { label: 'Vendor', cell: (row) => row.vendor_name ?? NONE },
          { label: 'Problem', cell: (row) => <span title={row.problem}>{cut(row.problem, 50)}</span> },
          {
            label: 'Days',
            align: 'right',
            cell: (row) => <span data-figure="days_out_of_service">{showCount(row.days_out_of_service)}</span>,
          },
          {
            label: 'Storage fees',
            align: 'right',
            cell: (row) =>
              row.storage_fees_applicable ? (
                <span data-money="storage_fees_total">{showMoney(row.storage_fees_total)}</span>
              ) : (
                NONE
              ),
          },
          {
            label: 'Actions',
            isActions: true,
            cell: (row) => (
              <div className="row-actions">
                <a href={paths.osl.show(row.id)} aria-label={`Notes and fees of unit ${row.unit_number}`}>
                  Notes
                </a>
                <a href={paths.osl.edit(row.id)} data-modal="" aria-label={`Edit OSL entry of unit ${row.unit_number}`}>
                  Edit
                </a>
                <a
                  href={paths.osl.remove(row.id)}
                  className="is-danger"
                  data-modal=""
                  aria-label={`Delete OSL entry of unit ${row.unit_number}`}
                >
                  Delete
                </a>
              </div>
            ),
          },
        ]}
      />
      <Island name="modal" id="modal" props={{}} />
    </>
  )
}
