import { Elysia } from 'elysia'
import { SettingsForm } from '../../../views/settings/form'
import { accept } from '../../platform/accept'
import { signedInPages } from '../../platform/auth/guard'
import type { AppContext } from '../../platform/context'
import { about } from '../../platform/http/about'
import { paths } from '../../platform/paths'
import { updateSettings } from './mutations'
import { findSettings } from './queries'
import { settingsChange } from './rules'

export const settingsPages = (ctx: AppContext) => {
  const { db } = ctx
  return new Elysia()
    .use(signedInPages(ctx))
    .get(
      paths.settings,
      async ({ page }) => page('Settings', <SettingsForm form={{ values: await findSettings(db) }} />),
      {
        detail: about({ role: 'admin', summary: 'Company settings' }),
      },
    )
    .post(
      paths.settings,
      ({ form, write, session, redirect, submit }) =>
        submit({
          title: 'Settings',
          show: (form) => <SettingsForm form={form} />,
          save: async () => updateSettings(ctx, write, session, accept(settingsChange, form)),
          done: () => redirect(paths.settings, 'Settings saved'),
        }),
      { detail: about({ role: 'admin', summary: 'Save the settings' }) },
    )
}
