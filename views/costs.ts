/**
 * Whether the reader of what is being drawn may see what things cost. Drawing never waits, so one drawing at a time
 * has it; in the browser nothing is drawn but what was sent.
 */
let areSeen = true

export const areCostsSeen = () => areSeen

/** Draws something for a reader who may, or may not, see costs. */
export function drawnFor<Drawn>({ sees_costs }: { sees_costs: boolean }, draw: () => Drawn): Drawn {
  areSeen = sees_costs
  try {
    return draw()
  } finally {
    areSeen = true
  }
}
