/** Loads the passkey library on first use, because loading it takes a tenth of the time of a start. */
export async function passkeyLibrary() {
  // The library needs this polyfill.
  await import('reflect-metadata')
  const library = await import('@simplewebauthn/server')
  // Without root certificates, the library does not fetch revocation lists from the addresses in a certificate. No root
  // certificates are needed, because the program does not request attestation and does not check the manufacturer of a
  // passkey.
  for (const identifier of ['apple', 'android-key', 'android-safetynet'] as const)
    library.SettingsService.setRootCertificates({ identifier, certificates: [] })
  return library
}
