/**
 * True if the current user may see costs. A module variable is safe because rendering is synchronous, so only one
 * render uses it at a time. In the browser it stays true, because the server sends only what the user may see.
 */
let areSeen = true

export const areCostsSeen = () => areSeen

/** Renders for a user with or without access to costs. `draw` must be synchronous. */
export function drawnFor<Drawn>({ sees_costs }: { sees_costs: boolean }, draw: () => Drawn): Drawn {
  areSeen = sees_costs
  try {
    return draw()
  } finally {
    areSeen = true
  }
}
