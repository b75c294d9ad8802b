/**
 * True if the user of the rendered page can see costs. A module variable is safe, because rendering is synchronous, so
 * only one page renders at a time. In the browser, the value is always true, because the server does not send hidden
 * costs.
 */
let areSeen = true

export const areCostsSeen = () => areSeen

/** Renders a page for a user with or without cost access. `draw` must be synchronous. */
export function drawnFor<Drawn>({ sees_costs }: { sees_costs: boolean }, draw: () => Drawn): Drawn {
  areSeen = sees_costs
  try {
    return draw()
  } finally {
    areSeen = true
  }
}
