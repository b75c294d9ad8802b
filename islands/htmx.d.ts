/** The htmx global, set by the boot script. Islands must not import htmx, because they render on the server too. */
interface Window {
  htmx: {
    process(element: Element): void
    ajax(verb: string, path: string, swap: Record<'target' | 'select' | 'swap' | 'selectOOB', string>): Promise<void>
  }
}
