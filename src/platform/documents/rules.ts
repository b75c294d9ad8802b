import { z } from 'zod'
import { DOCUMENT_OWNERS, type DocumentOwner } from '../../../db/vocabulary'
import { idParams, optionalText, optionalYesNo } from '../fields'

export const documentFields = z.object({ title: optionalText(200) })
export const documentQuery = z.object({ inline: optionalYesNo })

export const OWNERS = Object.keys(DOCUMENT_OWNERS) as [DocumentOwner, ...DocumentOwner[]]
export const ownerParams = idParams.extend({ owner: z.enum(OWNERS) })
