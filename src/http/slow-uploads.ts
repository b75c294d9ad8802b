import { Elysia } from 'elysia'
import { paths } from '../paths'
import { isUnsafe, pathOf } from './request'

const UPLOADS = new Set<string>([paths.files.upload, paths.api.upload, paths.api.imports])

/** In seconds; the server's own limit cuts an upload off after half a minute even while it arrives. */
const PATIENCE = 240

/** Gives uploads the time that a slow line, or a large import, takes. */
export const slowUploads = () =>
  new Elysia({ name: 'slow-uploads' }).onRequest(({ request, server }) => {
    if (isUnsafe(request) && UPLOADS.has(pathOf(request))) server?.timeout(request, PATIENCE)
  })
