import { Elysia } from 'elysia'
import { DeleteSchedulePage, ScheduleForm } from '../../../views/reports/schedules'
import type { FormState } from '../../../views/ui/form-state'
import { acceptChange, acceptForm } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { idParams } from '../../platform/fields'
import { about } from '../../platform/http/about'
import { paths } from '../../platform/paths'
import { locationQueries } from '../places'
import { REPORT_CHOICES } from './definitions'
import { checkRhythm, schedule, scheduleChange } from './rules'
import { createSchedule, findSchedule, removeSchedule, updateSchedule } from './schedules'

const NEW_SCHEDULE = { frequency: 'weekly', weekday: 1, hour: 6, period: 'last week', format: 'xlsx', is_active: true }

export const schedulePages = (ctx: AppContext) => {
  const { db } = ctx
  const scheduleForm = async (action: string, form: FormState, isNew: boolean) => {
    const locations = await locationQueries.active(db)
    return (
      <ScheduleForm
        isNew={isNew}
        isMailSetUp={ctx.config.mail !== null}
        action={action}
        form={form}
        types={REPORT_CHOICES}
        locations={locations.map(({ id, location_name }) => ({ value: id, label: location_name }))}
      />
    )
  }
  const newForm = (form: FormState) => scheduleForm(paths.schedules.create, form, true)
  const editForm = (id: number, form: FormState) => scheduleForm(paths.schedules.edit(id), form, false)

  return new Elysia({ detail: about({ role: 'costs', isSensitive: true }) })
    .use(signedInPages(ctx))
    .get(
      paths.schedules.create,
      async ({ page }) => page('Schedule New Report', await newForm({ values: NEW_SCHEDULE })),
      { detail: about({ summary: 'Schedule New Report' }) },
    )
    .post(
      paths.schedules.create,
      ({ form, write, submit, redirect }) =>
        submit({
          title: 'Schedule New Report',
          show: newForm,
          save: async () => createSchedule(write, await acceptForm(schedule, form, checkRhythm)),
          done: () => redirect(paths.reports, 'Report scheduled successfully!'),
        }),
      { detail: about({ summary: 'Create a schedule' }) },
    )
    .get(
      paths.schedules.edit.pattern,
      async ({ params, page }) =>
        page('Edit schedule', await editForm(params.id, { values: await findSchedule(db, params.id) })),
      { detail: about({ summary: 'Edit a schedule' }), params: idParams },
    )
    .post(
      paths.schedules.edit.pattern,
      ({ params, form, write, submit, redirect }) =>
        submit({
          title: 'Edit schedule',
          show: (state) => editForm(params.id, state),
          async save() {
            const rules = { changes: scheduleChange, rules: schedule }
            const { version, ...change } = await acceptChange(rules, form, checkRhythm)
            return updateSchedule(write, params.id, version, change)
          },
          done: () => redirect(paths.reports, 'Schedule updated successfully!'),
        }),
      { detail: about({ summary: 'Save a schedule' }), params: idParams },
    )
    .get(
      paths.schedules.remove.pattern,
      async ({ params, page }) => {
        const { id, name } = await findSchedule(db, params.id)
        return page('Delete schedule', <DeleteSchedulePage id={id} name={name} />)
      },
      { detail: about({ summary: 'Confirm the deletion of a report schedule' }), params: idParams },
    )
    .post(
      paths.schedules.remove.pattern,
      async ({ params, write, redirect }) => {
        const { name } = await removeSchedule(write, params.id)
        return redirect(paths.reports, `Schedule ${name} deleted`)
      },
      { detail: about({ summary: 'Delete a schedule' }), params: idParams },
    )
}
