import { Elysia } from 'elysia'
import { paths } from '../paths'
import { Refusal } from '../refusals'
import { isApi, pathOf } from './request'
import { textAnswer } from './text-answer'

const JSON_BODY_LIMIT = 2 * 1024 * 1024

/** The calls that take a file. */
const UPLOADS = new Set<string>([paths.api.upload, paths.api.imports])

/** What the JSON doors accept and how their answers leave. Uploads are multipart and have their own limit. */
export const json = () =>
  new Elysia({ name: 'json' })
    .onParse({ as: 'global' }, ({ request, contentType }) => {
      if (!isApi(request) || request.body === null) return
      const isUpload = UPLOADS.has(pathOf(request))
      if (contentType !== (isUpload ? 'multipart/form-data' : 'application/json')) {
        throw new Refusal(415, isUpload ? 'Send the file as multipart/form-data' : 'Send JSON with the content type application/json')
      }
      if (!isUpload && Number(request.headers.get('content-length') ?? 0) > JSON_BODY_LIMIT) throw new Refusal(413, 'The request is too large')
    })
    .mapResponse({ as: 'global' }, ({ responseValue, request, set }) => {
      if (!isPlainData(responseValue)) return
      const answer = textAnswer(request, JSON.stringify(responseValue), 'application/json; charset=utf-8', typeof set.status === 'number' ? set.status : 200)
      for (const [name, value] of Object.entries(set.headers)) if (!answer.headers.has(name)) answer.headers.set(name, String(value))
      return answer
    })

const isPlainData = (value: unknown): value is object => typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
