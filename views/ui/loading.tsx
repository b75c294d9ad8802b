/** Cover that hides the page until its session has been checked. The boot script displays the cover. */
export function Loading() {
  return (
    <div className="loading" id="loading" role="status" hidden>
      Loading...
    </div>
  )
}
