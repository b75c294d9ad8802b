/**
 * In a new OSL entry the vendor's terms are filled in where they can be seen and changed, not behind the form's back.
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
    // What was filled in for a vendor goes with it; what somebody typed stays.
    if (daily.value === (daily.dataset.filled ?? '')) {
      const isFilled = daily.dataset.filled !== undefined
      fill(daily, rate)
      if (free.value === (free.dataset.filled ?? '')) fill(free, rate === undefined ? undefined : (grace ?? ''))
      if (rate !== undefined || isFilled) applies.checked = rate !== undefined
    }
    const shown = form.querySelector<HTMLInputElement>('input[name=terms_shown]')
    if (shown) shown.value = '1'
  })
}

/** Puts in what a vendor asks, or nothing, and remembers that nobody typed it. */
function fill(field: HTMLInputElement, text: string | undefined) {
  field.value = text ?? ''
  if (text === undefined) delete field.dataset.filled
  else field.dataset.filled = text
}
