/** Current business day as `YYYY-MM-DD`, read from the page. */
export const today = () =>
  document.querySelector<HTMLElement>('[data-today]')?.dataset.today ?? new Date().toISOString().slice(0, 10)
