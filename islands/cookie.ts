/** Sets a cookie. Over HTTPS it has the `__Host-` prefix and `Secure`, as the server expects. */
export function setCookie(name: string, value: string, maxAge: number) {
  const [prefix, flag] = location.protocol === 'https:' ? ['__Host-', '; Secure'] : ['', '']
  document.cookie = `${prefix}${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax${flag}`
}
