/**
 * The boot script loads htmx, which puts itself here; islands must not import it, for they render on the server
 * too.
 */
interface Window {
  htmx: {
    process(element: Element): void
    ajax(verb: string, path: string, swap: Record<'target' | 'select' | 'swap' | 'selectOOB', string>): Promise<void>
  }
}
