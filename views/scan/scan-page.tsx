import type { Scanned } from '../../src/features/scan/queries'
import { paths, withQuery } from '../../src/platform/paths'
import type { ScanRule } from '../../src/platform/records/kind'
import { Unit } from '../ui/cells'
import { Input } from '../ui/fields'
import { Form } from '../ui/form'
import type { FormState } from '../ui/form-state'
import { PageHead } from '../ui/page-head'
import { PlainTable } from '../ui/plain-table'
import { Tabs } from '../ui/tabs'

type Props = { as: string; scans: Pick<ScanRule, 'name' | 'tab' | 'verb' | 'day'>[]; form: FormState; done: Scanned[] }

/** The chosen action and date also apply to the next vehicle. */
export function ScanPage({ as, scans, form, done }: Props) {
  const { verb, day } = scans.find(({ name }) => name === as) ?? { verb: '', day: null }
  return (
    <>
      <PageHead title="Scan Units" lead="Scan or type a unit number, VIN, VIN ending or plate, then press Enter" />
      <Tabs
        label="Action"
        tabs={scans.map(({ name, tab }) => ({
          href: withQuery(paths.scan, { as: name }),
          label: tab,
          isCurrent: name === as,
        }))}
      />
      <Form action={paths.scan} form={form} submit={verb} busy="Saving..." draft={as} isWhole>
        <input type="hidden" name="as" value={as} />
        <Input form={form} name="unit" label="Unit, VIN or plate" max={40} autoFocus isScanned required />
        {day && <Input form={form} name="on" label={day} type="date" hint="This date is also used for the next unit" />}
      </Form>
      {/* Log of the scans on this page. The script `islands/scan-queue.ts` fills it. */}
      <ul className="scan-log" data-scan-log={verb} aria-live="polite" />
      {done.length > 0 && (
        <section className="panel recent">
          <h2>Recently scanned</h2>
          <PlainTable
            caption="Recently scanned"
            rows={done}
            empty=""
            columns={[
              {
                label: 'Unit #',
                cell: (row) => <Unit unit={row.unit_number} />,
              },
              { label: 'Action', cell: () => verb },
              { label: 'Record', cell: ({ text }) => text },
              {
                label: 'Actions',
                cell: (row) => (
                  <form method="post" action={paths.bulk.undo(row.id)}>
                    <button type="submit" className="link" aria-label={`Undo unit ${row.unit_number}`}>
                      Undo
                    </button>
                  </form>
                ),
              },
            ]}
          />
        </section>
      )}
    </>
  )
}
