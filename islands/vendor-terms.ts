import { openGroup } from './fields'

/**
 * Fills an OSL entry's form with the chosen vendor's storage terms. An OSL entry is an out-of-service period. The user
 * can change the terms before saving. Unticking the checkbox of the fees removes the terms that the user did not type.
 */
export function vendorTerms() {
  document.addEventListener('change', ({ target }) => {
    const { name, form, checked, selectedOptions } = target as HTMLInputElement & HTMLSelectElement
    if (name !== 'vendor_id' && (name !== 'storage_fees_applicable' || checked)) return
    const { rate, grace } = selectedOptions?.[0]?.dataset ?? {}
    const [applies, daily, free] = ['storage_fees_applicable', 'storage_fee_daily_rate', 'storage_grace_days'].map(
      (name) => form?.querySelector<HTMLInputElement>(`input[name=${name}]:not([type=hidden])`),
    )
    if (!form || !applies || !daily || !free) return
    // Replace values that this script filled in for the previously chosen vendor, but keep values that the user typed.
    if (daily.value === (daily.dataset.filled ?? '')) {
      if (rate || daily.value) applies.checked = !!rate
      fill(daily, rate)
      if (free.value === (free.dataset.filled ?? '')) fill(free, rate && grace)
    }
    // Open the collapsed group with the daily rate, so that the user sees the change.
    if (rate) openGroup(daily)
    if (form.terms_shown) form.terms_shown.value = '1'
  })
}

/** Fills a field, and remembers the value as filled in by this script. */
function fill(field: HTMLInputElement, text = '') {
  field.value = text
  field.dataset.filled = text
}
