import { registerKinds } from '../platform/kinds'
import { IMPORT_KINDS } from './import-kinds'
import '../platform/imports/parse/worker'

registerKinds({ imports: IMPORT_KINDS })
