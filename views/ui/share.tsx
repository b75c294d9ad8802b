/** Shows an amount as a bar. In a table of months, unusual amounts then stand out. */
export const Share = ({ value, max }: { value: number; max: number }) =>
  max > 0 ? <meter className="share" min={0} max={max} value={value} aria-hidden="true" /> : null
