import { forgetError } from './forget-errors'
import { make } from './make'

/**
 * Selects a vehicle's location after the details of the vehicle have loaded.
 * A location that the user has chosen stays. The attribute `data-place` of the details contains the id of the location.
 * A note next to the label says that the value comes from the vehicle. The note disappears when the user chooses
 * another location.
 */
export function prefilledPlace() {
  document.addEventListener('htmx:after:swap', (event) => {
    const form = (event.target as Element).closest('form')
    const details = form?.querySelector('.known')
    const select = form?.querySelector<HTMLSelectElement>('select[data-prefilled]')
    if (!details || !select || (select.value && select.value !== select.dataset.prefilled)) return
    const place = details.querySelector<HTMLElement>('[data-place]')?.dataset.place ?? ''
    // If the vehicle has no location, keep the location that was carried over from the previous record.
    const isCarried = select.value && !select.labels[0]?.querySelector('.prefilled')
    if (!place && isCarried) return
    select.value = place
    // Leave the select empty if the location is inactive, because the list does not contain inactive locations.
    if (select.selectedIndex < 0) select.value = ''
    select.dataset.prefilled = select.value
    mark(select)
  })
  // After the user has typed or chosen something, the location of the vehicle must no longer replace it.
  document.addEventListener('input', ({ target }) => {
    const select = (target as Element).closest('.field')?.querySelector<HTMLSelectElement>('select[data-prefilled]')
    if (!select) return
    delete select.dataset.prefilled
    mark(select)
  })
}

function mark(select: HTMLSelectElement) {
  const isPrefilled = select.value && select.value === select.dataset.prefilled
  const [label] = select.labels
  const note = label?.querySelector('.prefilled')
  if (!isPrefilled) return note?.remove()
  forgetError(select)
  if (label && !note) label.append(make('span', { className: 'prefilled' }, 'from the vehicle'))
}
