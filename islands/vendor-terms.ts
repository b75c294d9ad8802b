import { openGroup } from './fields'

/**
 * Fills the form of an OSL entry (out-of-service period) with the storage terms of the chosen vendor. The user can
 * change the terms before saving.
 */
export function vendorTerms() {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || target.name !== 'vendor_id') return
    const form = target.form
    const { rate, grace } = target.selectedOptions[0]?.dataset ?? {}
    const field = (name: string) => form?.querySelector<HTMLInputElement>(`input[name=${name}]:not([type=hidden])`)
    const [applies, daily, free] = ['storage_fees_applicable', 'storage_fee_daily_rate', 'storage_grace_days'].map(
      field,
    )
    if (!form || !applies || !daily || !free) return
    // Replace values that this script filled in for the previously chosen vendor, but keep values that the user typed.
    if (daily.value === (daily.dataset.filled ?? '')) {
      const isFilled = daily.dataset.filled !== undefined
      fill(daily, rate)
      if (free.value === (free.dataset.filled ?? '')) fill(free, rate === undefined ? undefined : (grace ?? ''))
      if (rate !== undefined || isFilled) applies.checked = rate !== undefined
    }
    // Open the collapsed group with the daily rate, so that the user sees the change.
    if (rate !== undefined) openGroup(daily)
    const termsShown = form.querySelector<HTMLInputElement>('input[name=terms_shown]')
    if (termsShown) termsShown.value = '1'
  })
}

/**
 * Writes a value of the vendor into a form field, and marks the field as filled in by this script. Without a value,
 * clears the field and removes the mark.
 */
function fill(field: HTMLInputElement, text: string | undefined) {
  field.value = text ?? ''
  if (text === undefined) delete field.dataset.filled
  else field.dataset.filled = text
}
