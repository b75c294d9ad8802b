/**
 * The boot script loads htmx, which puts itself here; islands must not import it, for they render on the server
 * too.
 */
interface Window {
  htmx: { process(element: Element): void }
}
