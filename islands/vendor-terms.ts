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
    if (rate !== undefined && daily.value === '') {
      daily.value = rate
      if (free.value === '') free.value = grace ?? ''
      applies.checked = true
    }
    const shown = form.querySelector<HTMLInputElement>('input[name=terms_shown]')
    if (shown) shown.value = '1'
  })
}
