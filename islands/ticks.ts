/**
 * Changes another field when the user fills in a `data-ticks` field.
 * `data-ticks="status=Delivered"` selects `Delivered` in the select `status`. `data-ticks="storage_fees_applicable"`
 * ticks the checkbox with this name. If the user clears the field again, the other field gets its earlier value back.
 */
export function ticks() {
  document.addEventListener('input', ({ target }) => {
    const field = target as HTMLInputElement
    if (!field.dataset?.ticks) return
    const [name, choice = ''] = field.dataset.ticks.split('=')
    const other = field.form?.querySelector<HTMLInputElement | HTMLSelectElement>(
      `input[type=checkbox][name="${name}"], select[name="${name}"]`,
    )
    if (!other) return
    const value = other instanceof HTMLInputElement ? String(other.checked) : other.value
    const ticked = other instanceof HTMLInputElement ? 'true' : choice
    const { replaced } = other.dataset
    if (field.value && value !== ticked) other.dataset.replaced = value
    else if (field.value || value !== ticked || replaced === undefined) return
    else delete other.dataset.replaced
    const next = field.value ? ticked : replaced
    if (other instanceof HTMLInputElement) other.checked = next === 'true'
    else other.value = next ?? ''
  })
}
