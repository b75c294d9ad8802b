export function printing() {
  document.addEventListener('click', (event) => {
    if ((event.target as Element).closest('[data-print]')) window.print()
  })
}
