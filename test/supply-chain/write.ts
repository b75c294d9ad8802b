import { join } from 'node:path'
import { licencesPage, shippedPackages } from './licences'

await Bun.write(join(import.meta.dir, '../../docs/licences.md'), licencesPage(shippedPackages()))
