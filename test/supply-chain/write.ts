import { join } from 'node:path'
import { licencesPage, shippedPackages } from '../../src/app/packages'

await Bun.write(join(import.meta.dir, '../../docs/licences.md'), licencesPage(shippedPackages()))
