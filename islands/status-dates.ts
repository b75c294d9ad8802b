import { openGroup } from './fields'
import { today } from './today'

/**
 * Fills an empty date field when the user selects its status.
 * The field gets today's date. The field names the status, as in `data-ticks="status=Delivered"`. If the user then
 * selects another status without changing the date, the date is removed.
 */
export function datesOfStatus() {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement) delete target.dataset.filledIn
  })
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return
    const date = target.form?.querySelector<HTMLInputElement>(`input[type=date][data-ticks^="${target.name}="]`)
    if (!date || !target.name) return
    if (date.dataset.ticks === `${target.name}=${target.value}`) {
      openGroup(date)
      if (date.value !== '') return
      date.value = today()
      date.dataset.filledIn = date.value
    } else if (date.value !== '' && date.value === date.dataset.filledIn) date.value = ''
  })
}
