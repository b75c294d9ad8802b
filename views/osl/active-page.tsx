import { OSL_STATUSES } from '../../db/vocabulary'
import type { Meta } from '../../src/http/answers'
import type { OslFilters as OslQuery, OslEntry as OslRow } from '../../src/osl/queries'
import { paths } from '../../src/paths'
import { NONE, showCount, showMoney } from '../format'
import { Island } from '../island'
import { Full } from '../ui/cells'
import { optionsOf } from '../ui/fields'
import { PlusIcon } from '../ui/icons'
import { List } from '../ui/list'
import { PageHead } from '../ui/page-head'
import { BulkDate, BulkSelect, pickColumn } from '../ui/selection'
import { Day, lengthOf } from '../ui/today'

type Props = { rows: OslRow[]; query: OslQuery; meta: Meta; feesTotal: number | null }

/** Days and fees of which a bar is full: fixed, so that a bar means the same tomorrow. */
const [DAYS_SCALE, FEES_SCALE] = [240, 18_000]
/** From here on a running fee is an alarm. */
const FEES_ALARM = 5000

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
        rowScope=""
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
            width: 70,
            part: 'unit',
            cell: (row) => <a href={paths.osl.show(row.id)}>{row.unit_number}</a>,
          },
          {
            label: 'Status',
            sort: 'status',
            width: 140,
            part: 'state',
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
          { label: 'Problem', part: 'main', cell: (row) => <Full text={row.problem} /> },
          {
            label: 'Location',
            sort: 'location_name',
            width: 140,
            part: 'place',
            leaves: 'spare',
            cell: (row) => <Full text={row.location_name} />,
          },
          {
            label: 'Vendor',
            width: 130,
            leaves: 'room',
            cell: (row) =>
              row.vendor_id ? (
                <a href={paths.vendorBilling.show(row.vendor_id)} title={row.vendor_name ?? undefined}>
                  {row.vendor_name}
                </a>
              ) : (
                NONE
              ),
          },
          { label: 'OSL date', sort: 'osl_date', width: 90, cell: (row) => <Day date={row.osl_date} /> },
          {
            label: 'Days',
            align: 'right',
            width: 60,
            part: 'due',
            tone: (row) => lengthOf(row.days_out_of_service, DAYS_SCALE),
            cell: (row) => <span data-figure="days_out_of_service">{showCount(row.days_out_of_service)}</span>,
          },
          {
            label: 'Storage fees',
            align: 'right',
            width: 108,
            part: 'sum',
            tone: ({ storage_fees_applicable, storage_fees_total: fees }) =>
              storage_fees_applicable
                ? lengthOf(fees, FEES_SCALE, fees >= FEES_ALARM ? 'danger' : undefined)
                : undefined,
            cell: ({ storage_fees_applicable, storage_fees_total: fees }) =>
              storage_fees_applicable ? (
                <span data-money="storage_fees_total" className={fees >= FEES_ALARM ? 'figure-alarm' : undefined}>
                  {showMoney(fees)}
                </span>
              ) : (
                NONE
              ),
          },
          {
            label: 'Actions',
            isActions: true,
            width: 132,
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
