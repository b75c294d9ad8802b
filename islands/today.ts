/** The business day, as the page says it. */
export const today = () =>
  document.querySelector<HTMLElement>('[data-today]')?.dataset.today ?? new Date().toISOString().slice(0, 10)
