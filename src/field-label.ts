/** `unit_number` as people read it. */
export const fieldLabel = (field: string) =>
  field
    .replaceAll('_', ' ')
    .replace(/^./, (first) => first.toUpperCase())
    .replace(/^Ra /, 'RA ')
    .replace(/\bpo\b/i, 'PO')
    .replace(/^Osl /, 'OSL ')
    .replace(/^Vlt$/, 'VLT')
