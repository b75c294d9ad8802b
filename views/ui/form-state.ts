export type FormState = {
  values: Record<string, unknown>
  refusal?:
    | {
        message: string
        errors?: { field: string; message: string }[]
        warnings?: { message: string; field: string }[]
        warningKeys?: string
      }
    | undefined
  /** URL of the page from which the user opened the form. After saving, the user returns to this page. */
  back?: string | undefined
  /**
   * Changes that another user made since the form was opened. `otherChanges` are fields that only the other user
   * changed.
   */
  changedSince?: ChangedSince | undefined
}

type ChangedSince = {
  by: string
  /**
   * Fields that both users changed. `typed` is the value that this user typed. `stored` is the value that the other
   * user saved, as text for display. `storedValue` is the same value in the format of the input.
   */
  conflicts: { field: string; label: string; typed: string; stored: string; storedValue: string }[]
  otherChanges: { label: string; stored: string }[]
}

export const fieldValue = (form: FormState, name: string) => {
  const value = form.values[name]
  if (Array.isArray(value)) return value.join('\n')
  return value === null || value === undefined || typeof value === 'object' ? '' : String(value)
}

/** Heading of a form that edits a record. It names the unit, so that users notice if they opened the wrong record. */
export const headingOf = (title: string, form: FormState) => `${title}, unit ${fieldValue(form, 'unit_number')}`
export const errorOf = (form: FormState, name: string) =>
  form.refusal?.errors?.find((error) => error.field === name)?.message
