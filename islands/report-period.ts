type Periods = {
  presets: { value: string; start_date: string; end_date: string }[]
  usual: Record<string, string>
  ofToday: string[]
}

/**
 * Fills in the dates when the user selects a report period.
 * When the user changes a date, the period is deselected. The period and the dates are hidden for reports that show the
 * current state.
 */
export function reportPeriodForms() {
  const form = document.querySelector<HTMLFormElement>('form[data-periods]')
  if (!form) return
  const { presets, usual, ofToday } = JSON.parse(form.dataset.periods ?? '{}') as Periods
  const field = (name: string) => form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement
  const hint = form.querySelector<HTMLElement>('[data-of-today]')
  const fill = () => {
    const isOfToday = ofToday.includes(field('type').value)
    if (hint) hint.hidden = !isOfToday
    for (const name of ['period', 'start_date', 'end_date']) {
      const frame = field(name).closest<HTMLElement>('.field')
      if (frame) frame.hidden = isOfToday
    }
    const presetName = field('period').value === 'usual' ? usual[field('type').value] : field('period').value
    const preset = presets.find(({ value }) => value === presetName)
    if (!preset) return
    field('start_date').value = preset.start_date
    field('end_date').value = preset.end_date
  }
  form.addEventListener('input', ({ target }) => {
    const { name } = target as HTMLInputElement
    if (name === 'start_date' || name === 'end_date') field('period').value = ''
    else fill()
  })
  fill()
}
