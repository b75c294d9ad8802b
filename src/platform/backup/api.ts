import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Elysia } from 'elysia'
import { signedIn } from '../auth/guard'
import type { AppContext } from '../context'
import { about } from '../http/about'
import { storedAttachment } from '../http/attachment'
import { file, ZIP } from '../http/shapes'
import { endTurn, inTurn } from '../http/turns'
import { exportAll } from './export'

/**
 * Age at which leftover export files are deleted, in milliseconds. A file is left over if the program stops during an
 * export.
 */
const KEPT_MS = 24 * 60 * 60 * 1000

/** Also deletes leftover files from the folder. */
async function draftPath(dataDir: string, now: Date): Promise<string> {
  const folder = join(dataDir, 'exports')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const age =
      now.getTime() -
      (await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => now.getTime(),
      ))
    if (age > KEPT_MS) await rm(path, { force: true })
  }
  return join(folder, `${crypto.randomUUID()}.zip`)
}

/** Deletes the file after the download, even if the client disconnects. */
function readOnce(path: string): ReadableStream<Uint8Array> {
  const reader = Bun.file(path).stream().getReader()
  const remove = () => rm(path, { force: true })
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        controller.close()
        await remove()
      },
      async cancel() {
        await reader.cancel()
        await remove()
      },
    },
    { highWaterMark: 0 },
  )
}

export const exportApi = (ctx: AppContext) =>
  new Elysia({ detail: about({ tags: ['settings'] }) }).use(signedIn(ctx)).get(
    '/api/export',
    async ({ write, request, server }) => {
      // Disable the timeout, because the response starts only when the file is complete. This can take minutes.
      server?.timeout(request, 0)
      // The export may have to wait for other exports. From now on, do not count this request as a running read request
      // of the account, so that the user's pages load in the meantime.
      endTurn(request)
      const { path, bytes } = await inTurn(ctx, write, async () => {
        const now = ctx.clock.now()
        const summary = await exportAll(ctx, await draftPath(ctx.config.dataDir, now), now, request.signal)
        ctx.log('info', 'exported everything', { ...summary, user: write.actor.username })
        return summary
      })
      // The export can take minutes, so check again that the user is still an administrator.
      await write.renewActor?.().catch(async (error) => {
        await rm(path, { force: true })
        throw error
      })
      return storedAttachment(write, `yardmaster_${ctx.clock.today()}.zip`, ZIP, { body: readOnce(path), size: bytes })
    },
    {
      detail: about({
        role: 'admin',
        summary: 'Export everything',
        description:
          'A zip file with one CSV file for each table, all documents, and a README. The command ' +
          '`yardmaster import` loads it into a new installation. The file contains no passwords and no tokens.',
        answers: file(ZIP),
      }),
    },
  )
