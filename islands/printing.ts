/** Opens the print dialog after a click on a button with `data-print`. */
export function printing() {
  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('[data-print]')) window.print()
  })
}
