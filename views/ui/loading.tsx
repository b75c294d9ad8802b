/** Covers the page while it waits for its session check; the boot script shows it. */
export function Loading() {
  return (
    <div className="loading" id="loading" role="status" hidden>
      Loading...
    </div>
  )
}
