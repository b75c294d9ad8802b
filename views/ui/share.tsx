/** An amount as a bar, so that unusual months stand out. */
export const Share = ({ of, most }: { of: number; most: number }) =>
  most > 0 ? <meter className="share" min={0} max={most} value={of} aria-hidden="true" /> : null
