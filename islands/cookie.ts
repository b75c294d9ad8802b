/** Sets a cookie. Over HTTPS, the server expects the prefix `__Host-` and the flag `Secure`. */
export function setCookie(name: string, value: string, maxAge: number) {
  const [prefix, flag] = location.protocol === 'https:' ? ['__Host-', '; Secure'] : ['', '']
  document.cookie = `${prefix}${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax${flag}`
}
