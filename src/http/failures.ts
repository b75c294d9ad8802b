/** What a page says when something broke under it, by what its reader was doing. */
const FAILURES: [method: string, path: RegExp, text: string][] = [
  ['POST', /^\/login$/, 'An error occurred. Please try again.'],
  ['GET', /^\/dashboard$/, 'Failed to load dashboard data'],
  ['GET', /^\/admin\/locations$/, 'Failed to fetch locations'],
  ['GET', /^\/admin\/transport-companies$/, 'Failed to fetch transport companies'],
  ['GET', /^\/admin\/vendors$/, 'Failed to fetch vendors'],
  ['GET', /^\/admin\/users$/, 'Failed to fetch users'],
  ['POST', /^\/admin\/locations\/\d+\/(de)?activate$/, 'Failed to update location'],
  ['POST', /^\/admin\/transport-companies\/\d+\/(de)?activate$/, 'Failed to update transport company'],
  ['POST', /^\/admin\/vendors\/\d+\/(de)?activate$/, 'Failed to update vendor'],
  ['POST', /^\/admin\/users\/\d+\/(de)?activate$/, 'Failed to update user'],
  ['POST', /^\/admin\/locations\/\d+\/delete$/, 'Cannot delete location'],
  ['POST', /^\/admin\/transport-companies\/\d+\/delete$/, 'Cannot delete transport company'],
  ['POST', /^\/admin\/vendors\/\d+\/delete$/, 'Cannot delete vendor'],
  ['POST', /^\/admin\/users\/\d+\/reset-password$/, 'Failed to reset password'],
  ['GET', /^\/(transports|osl|titles|vehicles\/registrations)\/(new|\d+\/edit)$/, 'Failed to load dropdown data'],
  ['POST', /^\/transports\/new$/, 'Failed to create transport'],
  ['POST', /^\/(transports|osl)\/\d+\/status$/, 'Failed to update status'],
  ['POST', /^\/osl\/new$/, 'Failed to create OSL entry'],
  ['GET', /^\/vehicles\/lookup$/, 'Vehicle not found'],
  ['POST', /^\/vehicles\/registrations\/new$/, 'Failed to add registration'],
  ['POST', /^\/vehicles\/registrations\/\d+\//, 'Failed to update registration'],
  ['POST', /^\/titles\/new$/, 'Failed to create title tracking entry'],
  ['POST', /^\/titles\/\d+\/(transfer|reopen)$/, 'Failed to update title status'],
  ['POST', /^\/files\/upload$/, 'File upload failed'],
  ['POST', /^\/profile$/, 'Failed to update profile'],
  ['POST', /^\/profile\/password$/, 'Failed to change password'],
  ['POST', /./, 'An error occurred'],
]

/** The words for a fault while a page was asked for or a form was posted; null for plain reading. */
export function failureText(method: string, path: string): string | null {
  return FAILURES.find(([of, pattern]) => of === method && pattern.test(path))?.[2] ?? null
}
