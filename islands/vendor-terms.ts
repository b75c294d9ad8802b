/** Fills in the storage terms of a vendor chosen in an OSL entry. The user sees them and can change them. */
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
    // A vendor's values are replaced with the vendor; typed values stay.
    if (daily.value === (daily.dataset.filled ?? '')) {
      const isFilled = daily.dataset.filled !== undefined
      fill(daily, rate)
      if (free.value === (free.dataset.filled ?? '')) fill(free, rate === undefined ? undefined : (grace ?? ''))
      if (rate !== undefined || isFilled) applies.checked = rate !== undefined
    }
    const termsShown = form.querySelector<HTMLInputElement>('input[name=terms_shown]')
    if (termsShown) termsShown.value = '1'
  })
}

/** Sets or clears a vendor's value, and marks it as not typed. */
function fill(field: HTMLInputElement, text: string | undefined) {
  field.value = text ?? ''
  if (text === undefined) delete field.dataset.filled
  else field.dataset.filled = text
}
