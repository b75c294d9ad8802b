/** Sets a cookie of ours; over HTTPS with the prefix and the flag that the server expects there. */
export function setCookie(name: string, value: string, maxAge: number) {
  const [prefix, flag] = location.protocol === 'https:' ? ['__Host-', '; Secure'] : ['', '']
  document.cookie = `${prefix}${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax${flag}`
}
