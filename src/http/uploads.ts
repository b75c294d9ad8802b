import { Elysia } from 'elysia'
import { sessionOf, tokens } from '../auth/guard'
import type { Office } from '../office'
import { paths } from '../paths'
import { SignedOut } from '../refusals'
import { isUnsafe, pathOf } from './request'

const UPLOADS = new Set<string>([paths.files.upload, paths.api.upload, paths.api.imports])

/** In seconds; the server's own limit cuts an upload off after half a minute even while it arrives. */
const PATIENCE = 240

/** Gives uploads the time that a slow line, or a large import, takes; to strangers not even the wait for their bytes. */
export const uploads = (office: Office) => {
  const signer = tokens(office).decorator.tokens
  return new Elysia({ name: 'uploads' }).onRequest(async ({ request, server }) => {
    if (!isUnsafe(request) || !UPLOADS.has(pathOf(request))) return
    if (!(await sessionOf(office, signer, request))) throw new SignedOut()
    server?.timeout(request, PATIENCE)
  })
}
