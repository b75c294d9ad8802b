/** The name of the browser or program, as far as it says one. */
export function browserOf(userAgent: string | null): string {
  if (!userAgent) return 'Unknown'
  const known = /(Edg|OPR|Firefox|Chrome|Safari)\/(\d+)/.exec(userAgent.replace(/Chrome\/\S+ (?=.*(Edg|OPR)\/)/, ''))
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' }
  const system = /Windows|Macintosh|Android|iPhone|iPad|Linux/.exec(userAgent)?.[0]
  if (!known) return userAgent.slice(0, 40)
  return `${names[known[1] ?? ''] ?? known[1]} ${known[2]}${system ? `, ${system === 'Macintosh' ? 'Mac' : system}` : ''}`
}
