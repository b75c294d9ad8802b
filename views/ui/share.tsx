/** An amount as a length, so that a month that stands out is seen; the figure stands beside it. */
export const Share = ({ of, most }: { of: number; most: number }) =>
  most > 0 ? <meter className="share" min={0} max={most} value={of} aria-hidden="true" /> : null
