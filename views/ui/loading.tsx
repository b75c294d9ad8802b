/** Covers the page during its session check. The boot script displays the cover. */
export function Loading() {
  return (
    <div className="loading" id="loading" role="status" hidden>
      Loading...
    </div>
  )
}
