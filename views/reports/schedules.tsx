import { FILE_FORMATS, REPORT_PERIODS, type ReportPeriod, SCHEDULE_FREQUENCIES } from '../../db/vocabulary'
import { paths } from '../../src/platform/paths'
import { capitalised } from '../../src/platform/records/kind'
import { NONE, showInstant } from '../format'
import { ActiveBadge } from '../ui/badge'
import { Check, Input, type Option, Select } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'
import { TablePanel } from '../ui/plain-table'
import { RowActions } from '../ui/row-actions'
import { type RunRow, runColumns } from './runs'

export type ScheduleRow = {
  id: number
  name: string
  report_type: string
  frequency: 'weekly' | 'monthly'
  weekday: number | null
  day_of_month: number | null
  hour: number
  period: ReportPeriod
  location_name: string | null
  format: string
  is_active: boolean
  next_run_at: Date | null
}
export type MailedRun = RunRow & { mail_to: string | null; mailed_at: Date | null; mail_error: string | null }

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' })
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const showHour = (hour: number) => `${hour % 12 || 12}:00 ${hour < 12 ? 'AM' : 'PM'}`

/** Describes when a report runs, such as `Weekly, Monday at 6:00 AM`. */
function rhythmOf({ frequency, weekday, day_of_month, hour }: ScheduleRow): string {
  const endings: Record<string, string> = { one: 'st', two: 'nd', few: 'rd' }
  const ordinal = (day: number) => `${day}${endings[ORDINALS.select(day)] ?? 'th'}`
  const day = frequency === 'weekly' ? WEEKDAYS[(weekday ?? 1) - 1] : ordinal(day_of_month ?? 1)
  return `${frequency === 'weekly' ? 'Weekly' : 'Monthly'}, ${day} at ${showHour(hour)}`
}

type Props = { schedules: ScheduleRow[]; runs: MailedRun[]; labels: Record<string, string>; timeZone: string }

export function Schedules({ schedules, runs, labels, timeZone }: Props) {
  return (
    <>
      <TablePanel
        title="Scheduled Reports"
        caption="Scheduled reports"
        rows={schedules}
        empty="No report is scheduled"
        columns={[
          { label: 'Name', cell: (row) => row.name },
          { label: 'Report', cell: (row) => labels[row.report_type] ?? row.report_type },
          {
            label: 'Covers',
            cell: (row) => `${capitalised(row.period)}${row.location_name ? `, ${row.location_name}` : ''}`,
          },
          { label: 'Runs', cell: (row) => rhythmOf(row) },
          { label: 'Next', cell: (row) => (row.is_active ? showInstant(row.next_run_at, timeZone) : NONE) },
          { label: 'Status', cell: (row) => <ActiveBadge active={row.is_active} /> },
          {
            label: 'Actions',
            cell: (row) => (
              <RowActions
                label={row.name}
                edit={paths.schedules.edit(row.id)}
                remove={paths.schedules.remove(row.id)}
              />
            ),
          },
        ]}
      >
        <p className="panel-foot">
          <a className="button" href={paths.schedules.create} data-modal="">
            Schedule New Report
          </a>
        </p>
      </TablePanel>
      <TablePanel
        title="Latest runs"
        caption="Latest runs of scheduled reports"
        rows={runs}
        empty="No scheduled report has run yet"
        columns={[...runColumns(timeZone), { label: 'Mail', cell: mailState }]}
      />
    </>
  )
}

function mailState({ mail_to, mailed_at, mail_error }: MailedRun): string {
  if (!mail_to) return NONE
  if (mailed_at) return `Sent to ${mail_to}`
  return mail_error ? `Not sent: ${mail_error}` : 'Waiting to be sent'
}

const sentenceOptions = (words: readonly string[]): Option[] =>
  words.map((value) => ({ value, label: capitalised(value) }))

const FORMAT_LABELS = { xlsx: 'Excel', csv: 'CSV' } as const

type FormProps = {
  action: string
  form: FormState
  types: Option[]
  locations: Option[]
  isNew: boolean
  isMailSetUp: boolean
}

export function ScheduleForm({ action, form, types, locations, isNew, isMailSetUp }: FormProps) {
  const mailHint = isMailSetUp
    ? 'Addresses, separated by commas'
    : 'Addresses, separated by commas. Mail is not set up on this server, so nothing is sent.'
  const weekdays = WEEKDAYS.map((label, at) => ({ value: at + 1, label }))
  const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: showHour(hour) }))
  return (
    <FormPage title={isNew ? 'Schedule New Report' : 'Edit schedule'}>
      <Form
        entity="report_schedules"
        action={action}
        form={form}
        submit={isNew ? 'Schedule report' : 'Save changes'}
        cancel={paths.reports}
      >
        <Input form={form} name="name" label="Name" required max={100} wide />
        <Select form={form} name="report_type" label="Report" required blank="Choose a report…" options={types} />
        <Select form={form} name="period" label="Covers" options={sentenceOptions(REPORT_PERIODS)} />
        <Select
          form={form}
          name="frequency"
          label="How often"
          required
          options={sentenceOptions(SCHEDULE_FREQUENCIES)}
        />
        <Select form={form} name="weekday" label="Weekday" blank="—" options={weekdays} hint="For weekly reports" />
        <Input
          form={form}
          name="day_of_month"
          label="Day of the month"
          inputMode="numeric"
          max={2}
          hint="1 to 28, for monthly reports"
        />
        <Select form={form} name="hour" label="Hour" options={hours} />
        <Select form={form} name="location_id" label="Location" blank="All locations" options={locations} />
        <Select
          form={form}
          name="format"
          label="File"
          options={FILE_FORMATS.map((value) => ({ value, label: FORMAT_LABELS[value] }))}
        />
        <Input form={form} name="mail_to" label="Send to" max={500} wide hint={mailHint} />
        <Check form={form} name="skip_empty" label="Skip the report when there is nothing to show" wide />
        <Check form={form} name="is_active" label="Active: clear this checkbox to pause the schedule" wide />
      </Form>
    </FormPage>
  )
}

export function DeleteSchedulePage({ id, name }: { id: number; name: string }) {
  return (
    <FormPage title="Delete schedule?">
      <p>
        <strong>{name}</strong> will not run again, and the files of its runs will be deleted.
      </p>
      <Form
        action={paths.schedules.remove(id)}
        form={{ values: {} }}
        submit="Delete"
        busy="Deleting..."
        cancel={paths.reports}
        danger
      />
    </FormPage>
  )
}
