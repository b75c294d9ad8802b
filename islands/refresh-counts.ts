/**
 * Updates the counts of the list after a change that does not reload it. The code is loaded at its first use, so that
 * the first page stays small. If it cannot be loaded, the counts stay as they are until the next page opens.
 */
export const refreshCounts = () => void import('./page-counts').then((counts) => counts.refreshCounts()).catch(() => {})
