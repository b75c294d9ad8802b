/** What a form shows: the typed or stored values, and what was wrong with them. */
export type FormState = {
  values: Record<string, unknown>
  refusal?:
    | {
        message: string
        errors?: { field: string; message: string }[]
        warnings?: { message: string; field: string }[]
        seen?: string
      }
    | undefined
  /** Where the form was opened, and leads back to. */
  back?: string | undefined
  /** Of a stale edit: who stored something else meanwhile, in fields that this form changes too and in others. */
  changedSince?: ChangedSince | undefined
}

type ChangedSince = {
  by: string
  /** `storedValue` is `stored` as the field takes it. */
  conflicts: { field: string; label: string; typed: string; stored: string; storedValue: string }[]
  kept: { label: string; stored: string }[]
}

export const fieldValue = (form: FormState, name: string) => {
  const value = form.values[name]
  if (Array.isArray(value)) return value.join('\n')
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value)
}

/** The heading of a form that changes a record: which unit it is about is the first thing to be sure of. */
export const headingOf = (title: string, form: FormState) => `${title}, unit ${fieldValue(form, 'unit_number')}`
export const errorOf = (form: FormState, name: string) =>
  form.refusal?.errors?.find((error) => error.field === name)?.message
