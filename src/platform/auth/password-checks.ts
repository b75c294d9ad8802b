import { FairTurns } from '../fair-turns'
import { RateLimited } from '../refusals'
import { networkOf } from './network'

/**
 * Limits for password checks on one instance. A check takes a processor core for about 0.1 s. Without limits, one
 * account could delay the sign-ins of all others. `waiting` and `waitingInNetwork` are the maximum numbers of waiting
 * checks for the known devices of an account, and for the unknown devices in a network.
 */
const CHECKS = { running: 2, waiting: 20, waitingInNetwork: 50, retrySeconds: 5 }

/** A sign-in. `account` is a hash of the username. `device` is the id of a known device, or null. */
export type Attempt = { account: string; address: string; device: string | null }

/** Lets password checks on one instance take turns. */
export function passwordChecks() {
  const turns = new FairTurns(CHECKS.running)
  return {
    /**
     * Checks a password after the other checks of the same account. The known devices of an account wait for each
     * other. Unknown devices take turns by network, so that a stranger cannot block the owner. Only one check for an
     * unknown device runs at a time, so that one place stays free for known devices, even if strangers try many
     * usernames from many networks.
     * @throws RateLimited when too many checks of the account or network wait
     */
    async checkInTurn({ account, address, device }: Attempt, check: () => Promise<boolean>): Promise<boolean> {
      const name = device ? account : networkOf(address)
      if (turns.waiting(name) >= (device ? CHECKS.waiting : CHECKS.waitingInNetwork))
        throw new RateLimited(CHECKS.retrySeconds)
      return turns.run({ account: name, keys: device ? [] : ['unknown device'] }, check)
    },
    /** Checks the current password of a signed-in user, like `checkInTurn`. The sign-ins of an account take turns. */
    checkOwnInTurn: ({ user }: { user: { id: number } }, check: () => Promise<boolean>): Promise<boolean> =>
      turns.run({ account: `own password of ${user.id}` }, check),
  }
}
