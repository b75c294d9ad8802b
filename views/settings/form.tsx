import { COST_VIEWERS, FACTOR_REQUIRED, INVOICE_DECIDERS, PASSWORD_RULES } from '../../db/vocabulary'
import { fieldLabel } from '../../src/platform/field-label'
import { paths } from '../../src/platform/paths'
import { Input, optionsOf, Select, TextArea } from '../ui/fields'
import { Form } from '../ui/form'
import { FormPage } from '../ui/form-page'
import type { FormState } from '../ui/form-state'

const DAYS: [name: string, hint: string][] = [
  ['registration_days', 'A registration becomes due this number of days before it expires'],
  ['title_days', 'A title becomes due when it has been pending for more than this number of days'],
  ['title_danger_days', 'A due title is marked as urgent when it has been pending for more than this number of days'],
  ['osl_days', 'An OSL entry becomes due after this number of days without a change or a new note'],
  ['cost_days', 'A delivered transport without a final cost becomes due this number of days after its arrival'],
]

const KEPT: [name: string, hint: string][] = [
  [
    'audit_kept_days',
    'Number of days for which audit entries are stored. After this number of days, an import cannot be undone.',
  ],
  ['deleted_kept_days', 'Number of days in which a deleted record can be restored'],
  [
    'upload_kept_days',
    'Number of days after the upload until the original file and the failed rows are deleted. Imported records stay.',
  ],
  ['sign_in_kept_days', 'Days after the sign-in'],
]

export const SettingsForm = ({ form }: { form: FormState }) => (
  <FormPage title="Settings" narrow={false}>
    <Form entity="company_settings" action={paths.settings} form={form} submit="Save settings" cancel={paths.dashboard}>
      <h2>Letterhead</h2>
      <p className="hint field-wide">These details are printed on statements and letters.</p>
      <Input form={form} name="company_name" label="Company" max={100} />
      <Input form={form} name="phone" label="Phone" type="tel" max={20} />
      <Input form={form} name="email" label="E-mail" type="email" max={100} />
      <TextArea form={form} name="address" label="Address" wide max={500} />
      <h2>Purchase orders</h2>
      <p className="hint field-wide">The prefix and the first number for new purchase orders.</p>
      <Input form={form} name="po_prefix" label="Prefix" max={20} />
      <Input
        form={form}
        name="po_first"
        label="First number"
        inputMode="numeric"
        max={9}
        hint="Numbers already in use are skipped"
      />
      <h2>Costs and invoices</h2>
      <p className="hint field-wide">
        Who can accept and dispute invoice lines, and who can see costs. Users who cannot see costs can still enter
        them.
      </p>
      <Select form={form} name="invoice_deciders" label="Invoices" options={optionsOf(INVOICE_DECIDERS)} />
      <Select form={form} name="cost_viewers" label="Costs" options={optionsOf(COST_VIEWERS)} />
      <h2>Sign-in</h2>
      <Select
        form={form}
        name="password_rule"
        label="New passwords"
        options={optionsOf(PASSWORD_RULES)}
        hint="Letters and digits: upper case, lower case and a digit. Every password has at least 8 characters."
      />
      <Select
        form={form}
        name="second_factor_required"
        label="Two-factor authentication required for"
        options={optionsOf(FACTOR_REQUIRED)}
        hint="Users without two-factor authentication must set it up before they continue."
      />
      <h2>Due items</h2>
      <p className="hint field-wide">
        These settings decide when items become due and at what hour the daily mail is sent.
      </p>
      <Input
        form={form}
        name="over_estimate_percent"
        label="Cost above the estimate"
        inputMode="numeric"
        max={4}
        hint="Final costs are flagged if they exceed the estimate by more than this percentage"
      />
      <Input
        form={form}
        name="due_mail_hour"
        label="Daily mail"
        inputMode="numeric"
        max={2}
        hint="Hour from 0 to 23, for users who turned it on"
      />
      {DAYS.map(([name, hint]) => (
        <Input key={name} form={form} name={name} label={fieldLabel(name)} inputMode="numeric" max={3} hint={hint} />
      ))}
      <h2>Retention</h2>
      <p className="hint field-wide">
        Data is permanently deleted after this number of days, at least 30. Leave a field blank to keep the data.
      </p>
      {KEPT.map(([name, hint]) => (
        <Input key={name} form={form} name={name} label={fieldLabel(name)} inputMode="numeric" max={5} hint={hint} />
      ))}
    </Form>
    <section className="panel">
      <h2>Export</h2>
      <p className="hint">
        One zip file with all records as CSV files and all documents. The command <code>yardmaster import</code> loads
        it into a new installation. The file contains no passwords and no tokens. Store it safely.
      </p>
      <p className="actions-list">
        <a className="button" href={paths.api.fullExport} download>
          Export everything
        </a>
      </p>
    </section>
  </FormPage>
)
