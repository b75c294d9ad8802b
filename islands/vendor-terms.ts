import { openGroup } from './fields'

/**
 * Fills an OSL entry's form with the chosen vendor's storage terms. An OSL entry is an out-of-service period. The user
 * can change the terms before saving. Unticking the checkbox of the fees removes the terms that the user did not type.
 */
export function vendorTerms() {
  document.addEventListener('change', ({ target }) => {
    const vendor = target instanceof HTMLSelectElement && target.name === 'vendor_id' ? target : null
    const unticked =
      target instanceof HTMLInputElement && target.name === 'storage_fees_applicable' && !target.checked ? target : null
    const { form } = vendor ?? unticked ?? {}
    const { rate, grace } = vendor?.selectedOptions[0]?.dataset ?? {}
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

/** Fills a field and marks it as filled in by this script. Without a value, clears the field and removes the mark. */
function fill(field: HTMLInputElement, text: string | undefined) {
  field.value = text ?? ''
  if (text === undefined) delete field.dataset.filled
  else field.dataset.filled = text
}
