/** Sets a cookie. Over HTTPS, adds the prefix `__Host-` to the name, because the server reads only that name. */
export function setCookie(name: string, value: string, maxAge: number) {
  const [prefix, flag] = location.protocol === 'https:' ? ['__Host-', '; Secure'] : ['', '']
  document.cookie = `${prefix}${name}=${encodeURIComponent(value)}; Path=/; Max-Age=${maxAge}; SameSite=Lax${flag}`
}
