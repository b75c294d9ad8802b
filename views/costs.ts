/**
 * True if the user for whom a page is being rendered can see costs. A module variable is safe, because rendering is
 * synchronous and only one page renders at a time. In the browser the variable stays true, because the server sends
 * only what the user can see.
 */
let areSeen = true

export const areCostsSeen = () => areSeen

/** Runs `draw`, which renders for a user with or without access to costs. `draw` must be synchronous. */
export function drawnFor<Drawn>({ sees_costs }: { sees_costs: boolean }, draw: () => Drawn): Drawn {
  areSeen = sees_costs
  try {
    return draw()
  } finally {
    areSeen = true
  }
}
